"""Shared by Scripts/torture and Scripts/benchmark: folders for stores, and programs run without the user's configuration."""

import os
import shutil
import subprocess


class Wrong(Exception):
    """A promise that was not kept, in words."""


def environment(home):
    """The whole environment of the programs, with the defaults of git."""
    os.makedirs(home, exist_ok=True)
    return {
        **{name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}, "HOME": home,
        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
        "GIT_PAGER": "cat", "PAGER": "cat", "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
    }


def run(words, folder, environment, text=None, timeout=None):
    """Runs a program to its end; its standard input is `text` or empty."""
    given = {"stdin": subprocess.DEVNULL} if text is None else {"input": text}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, encoding="utf-8", errors="replace", timeout=timeout, **given)


def check(words, folder, environment, text=None, timeout=None):
    """The output of a program, which must succeed."""
    done = run(words, folder, environment, text, timeout)
    if done.returncode != 0:
        raise Wrong(f"{' '.join(words)[:300]}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def empty(path):
    """A new, empty folder; removes what was there before."""
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def copy(template, path):
    """A copy that keeps modes and times."""
    shutil.rmtree(path, ignore_errors=True)
    subprocess.run(["cp", "-a", template, path], check=True)
    return path
