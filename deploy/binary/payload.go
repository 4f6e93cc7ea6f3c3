package main

import (
	"archive/tar"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"
)

// At the end of the file: the SHA-256 of the payload, its length, and these bytes.
const (
	mark    = "calivet1"
	trailer = 32 + 8 + len(mark)
)

const (
	day   = 24 * time.Hour
	month = 30 * day
)

type payload struct {
	file *os.File
	part *io.SectionReader
	name string
}

// findPayload gives nil where nothing is attached to the program.
func findPayload(program string) (*payload, error) {
	file, err := os.Open(program)
	if err != nil {
		return nil, err
	}
	state, err := file.Stat()
	if err != nil {
		return nil, err
	}
	end := state.Size() - int64(trailer)
	bytes := make([]byte, trailer)
	if _, err := file.ReadAt(bytes, end); err != nil || string(bytes[40:]) != mark {
		file.Close()
		return nil, err
	}
	length := int64(binary.BigEndian.Uint64(bytes[32:40]))
	if length <= 0 || length > end {
		return nil, errors.New("this file is damaged: fetch it again")
	}
	name := "runtime-" + hex.EncodeToString(bytes[:16])
	return &payload{file, io.NewSectionReader(file, end-length, length), name}, nil
}

// findFolders lists where the payload may be unpacked to, the user's cache first.
func findFolders() []string {
	var found []string
	if cache := os.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(cache) {
		found = append(found, filepath.Join(cache, "calivet"))
	}
	if home := os.Getenv("HOME"); filepath.IsAbs(home) {
		found = append(found, filepath.Join(home, ".cache", "calivet"))
	}
	temporary := []string{"/tmp", "/var/tmp", "/dev/shm"}
	if given := os.Getenv("TMPDIR"); filepath.IsAbs(given) {
		temporary = []string{given}
	}
	for _, folder := range temporary {
		found = append(found, filepath.Join(folder, fmt.Sprintf("calivet-%d", os.Geteuid())))
	}
	return found
}

// unpack gives the folder with the payload's content, which another run may have put there.
func (p *payload) unpack(base string) (string, error) {
	if err := os.MkdirAll(base, 0o700); err != nil {
		return "", err
	}
	if err := isOwn(base); err != nil {
		return "", err
	}
	root := filepath.Join(base, p.name)
	if state, err := os.Lstat(root); err == nil && state.IsDir() {
		keepFresh(root, state.ModTime())
		return root, isOwn(root)
	}
	beside, err := os.MkdirTemp(base, p.name+".")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(beside)
	if err := p.write(beside); err != nil {
		return "", err
	}
	os.Chmod(beside, 0o700)
	// Renamed as a whole: a run that was interrupted leaves nothing half done. Another run may have been faster.
	if err := os.Rename(beside, root); err != nil && isOwn(root) != nil {
		return "", err
	}
	removeOld(base)
	return root, nil
}

// isOwn refuses what somebody else can write: code is run from there.
func isOwn(folder string) error {
	state, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	owner := state.Sys().(*syscall.Stat_t).Uid
	if !state.IsDir() || owner != uint32(os.Geteuid()) || state.Mode().Perm()&0o022 != 0 {
		return errors.New("others may write there")
	}
	return nil
}

func (p *payload) write(root string) error {
	stream, err := zstd.NewReader(p.part)
	if err != nil {
		return err
	}
	defer stream.Close()
	archive := tar.NewReader(stream)
	for {
		member, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = writeMember(root, member, archive)
		}
		if err != nil {
			return err
		}
	}
}

func writeMember(root string, member *tar.Header, content io.Reader) error {
	if !filepath.IsLocal(member.Name) {
		return errors.New("the payload is damaged")
	}
	path := filepath.Join(root, member.Name)
	switch member.Typeflag {
	case tar.TypeDir:
		return os.MkdirAll(path, 0o755)
	case tar.TypeSymlink:
		return os.Symlink(member.Linkname, path)
	case tar.TypeReg:
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, os.FileMode(member.Mode).Perm())
		if err != nil {
			return err
		}
		_, err = io.Copy(file, content)
		if closing := file.Close(); err == nil {
			err = closing
		}
		if err != nil {
			return err
		}
		// calivet tells by the time of its own files whether what it has kept is still good.
		return os.Chtimes(path, member.ModTime, member.ModTime)
	}
	return errors.New("the payload is damaged")
}

// keepFresh notes about once a day that a folder is in use.
func keepFresh(root string, touched time.Time) {
	if now := time.Now(); now.Sub(touched) > day {
		os.Chtimes(root, now, now)
	}
}

// removeOld takes away what other versions unpacked and nobody has used for a month.
func removeOld(base string) {
	entries, _ := os.ReadDir(base)
	for _, entry := range entries {
		state, err := entry.Info()
		if err == nil && strings.HasPrefix(entry.Name(), "runtime-") && time.Since(state.ModTime()) > month {
			os.RemoveAll(filepath.Join(base, entry.Name()))
		}
	}
}
