// The program that stands where calivet is called: it starts the interpreter that came with it.
//
// Nothing of the system is used but the kernel: the interpreter is started by the loader that lies beside it, with the C
// library that lies beside it. Where a payload is attached to this very file, it is unpacked once, into the user's
// cache; otherwise the interpreter lies around this file, as in a package or an image. Called `python3`, it is nothing
// but that interpreter, for what calivet itself starts.
package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

const failed = 3 // the exit code for a fault of calivet's own

func main() {
	program, err := findProgram()
	if err != nil {
		fail(err.Error())
	}
	attached, err := findPayload(program)
	if err != nil {
		fail(err.Error())
	}
	if attached == nil {
		fail(start(filepath.Dir(filepath.Dir(program))).Error())
	}
	defer attached.file.Close()
	var tried []string
	for _, folder := range findFolders() {
		root, err := attached.unpack(folder)
		if err == nil {
			err = start(root) // comes back only where nothing may be run from there
		}
		tried = append(tried, folder+": "+err.Error())
	}
	fail(say("no folder to unpack its parts to", "没有可用于解包的目录") + " (" + strings.Join(tried, "; ") + ")")
}

// findProgram gives this very file, also in a root without /proc.
func findProgram() (string, error) {
	if program, err := os.Executable(); err == nil {
		return program, nil
	}
	program, err := exec.LookPath(os.Args[0])
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(program)
}

// start becomes the interpreter in this folder.
func start(root string) error {
	library := filepath.Join(root, "lib")
	python := filepath.Join(root, "bin", "python3")
	words := []string{loader, "--inhibit-cache", "--library-path", library, "--argv0", python, filepath.Join(root, "libexec", "python3")}
	if filepath.Base(os.Args[0]) == "python3" {
		words = append(words, os.Args[1:]...)
	} else {
		words = append(words, "-I", filepath.Join(root, "lib", "packages", "start.py"))
		words = append(words, os.Args...)
	}
	return syscall.Exec(filepath.Join(library, loader), words, os.Environ())
}

func fail(line string) {
	os.Stderr.WriteString("calivet: " + line + "\n")
	os.Exit(failed)
}

// say chooses the language as calivet does: the first of these variables that is set decides.
func say(english, chinese string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := os.Getenv(name); value != "" {
			if strings.HasPrefix(value, "zh") {
				return chinese
			}
			break
		}
	}
	return english
}
