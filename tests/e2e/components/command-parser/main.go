// Reads command lines of kubectl as JSON arrays, a line each, and answers each with what kubectl's own parser has
// against it, as a JSON string: unknown commands and options, values of the wrong kind, too many arguments, and output
// templates that do not parse. Nothing is asked of a cluster.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/util/jsonpath"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/get"
)

func main() {
	lines := bufio.NewReader(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var words []string
			if problem := json.Unmarshal(line, &words); problem != nil {
				fmt.Fprintln(os.Stderr, problem)
				os.Exit(1)
			}
			answers.Encode(complaint(words))
		}
		if err != nil {
			return
		}
	}
}

// The first thing that is wrong, or nothing.
func complaint(words []string) string {
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: io.Discard, ErrOut: io.Discard}
	root := cmd.NewKubectlCommand(cmd.KubectlOptions{IOStreams: streams})
	found, rest, err := root.Find(words)
	if err != nil {
		return err.Error()
	}
	if !found.Runnable() || found == root {
		return "no such command: " + strings.Join(words, " ")
	}
	if found.HasSubCommands() && len(rest) > 0 && found.Args == nil && !strings.HasPrefix(rest[0], "-") && !takesArguments(found) {
		return "unknown command " + rest[0]
	}
	if err := found.ParseFlags(rest); err != nil {
		return err.Error()
	}
	if err := found.ValidateArgs(found.Flags().Args()); err != nil {
		return err.Error()
	}
	return outputComplaint(found)
}

// create and set have both, arguments of their own and commands below them.
func takesArguments(found *cobra.Command) bool {
	return strings.Contains(found.Use, "(") || strings.Contains(found.Use, "[") || strings.Contains(found.Use, "-f")
}

func outputComplaint(found *cobra.Command) string {
	flag := found.Flags().Lookup("output")
	if flag == nil {
		return ""
	}
	kind, template, given := strings.Cut(flag.Value.String(), "=")
	switch {
	case kind == "jsonpath" && given:
		if strings.Count(template, "{range") != strings.Count(template, "{end}") {
			return "a range without its end: " + template
		}
		if err := jsonpath.New("command").Parse(template); err != nil {
			return err.Error()
		}
	case kind == "custom-columns" && given:
		for _, column := range strings.Split(template, ",") {
			_, path, ok := strings.Cut(column, ":")
			if !ok {
				return "a column without a path: " + column
			}
			relaxed, err := get.RelaxedJSONPathExpression(path)
			if err == nil {
				err = jsonpath.New("command").Parse(relaxed)
			}
			if err != nil {
				return err.Error()
			}
		}
	}
	return ""
}
