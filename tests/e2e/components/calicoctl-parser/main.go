// Reads command lines of calicoctl as JSON arrays, a line each, and answers each with what calicoctl's own parser has
// against it, as a JSON string. That parser is docopt, and what it goes by are the usage texts in calicoctl's sources,
// which lie in the folder `commands` beside this program: calicoctl itself would ask a cluster.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/docopt/docopt-go"
)

const placeholder = "<BINARY_NAME>"

func main() {
	usages, err := readUsages()
	if err != nil || len(usages) == 0 {
		fmt.Fprintln(os.Stderr, "no usage texts:", err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var words []string
		if err := json.Unmarshal(lines.Bytes(), &words); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		answers.Encode(complaint(usages, words))
	}
}

// The usage texts of commands, by the words that call them.
func readUsages() (map[string]string, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	usages := map[string]string{}
	err = filepath.WalkDir(filepath.Join(filepath.Dir(program), "commands"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if text, ok := node.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if doc, err := strconv.Unquote(text.Value); err == nil && strings.HasPrefix(doc, "Usage:") {
					add(usages, doc)
				}
			}
			return true
		})
		return nil
	})
	return usages, err
}

// A text that only leads to further commands is no command's.
func add(usages map[string]string, doc string) {
	_, call, found := strings.Cut(doc, placeholder+" ")
	if !found || strings.Contains(strings.SplitN(call, "\n", 2)[0], "<command>") {
		return
	}
	var name []string
	for _, word := range strings.Fields(call) {
		if strings.ContainsAny(word, "<[(-|") {
			break
		}
		name = append(name, word)
	}
	usages[strings.Join(name, " ")] = strings.ReplaceAll(doc, placeholder, "calicoctl")
}

func complaint(usages map[string]string, words []string) string {
	// As calicoctl does it: what holds for all commands is told to the one that is called.
	for len(words) > 0 && words[0] == "--allow-version-mismatch" {
		words = append(words[1:], words[0])
	}
	for length := min(3, len(words)); length > 0; length-- {
		if doc, ok := usages[strings.Join(words[:length], " ")]; ok {
			asked := &docopt.Parser{HelpHandler: func(error, string) {}}
			if _, err := asked.ParseArgs(doc, words, ""); err != nil {
				return "calicoctl does not take: " + strings.Join(words, " ")
			}
			return ""
		}
	}
	return "no such command: " + strings.Join(words, " ")
}
