import type { KnownFailure } from './known.ts'

/** What git refuses to do in the work tree. */
export const git: readonly KnownFailure[] = [
  {
    name: 'git-not-a-repository',
    output: [/fatal: not a git repository/],
    means: 'The current directory is in no git repository.',
    run: ['pwd', 'ls -a'],
    sample: {
      command: 'git status',
      exit: 128,
      output: 'fatal: not a git repository (or any of the parent directories): .git',
    },
  },
  {
    name: 'git-conflict',
    output: [/^CONFLICT \([^)\n]+\): /m, /^error: could not apply [0-9a-f]{7,}\.\.\. /m],
    means: 'Both sides changed the same lines; git waits until the marked places are edited and the files are added.',
    run: ['git status', 'git diff --name-only --diff-filter=U'],
    sample: {
      command: 'git merge feature',
      exit: 1,
      output:
        'Auto-merging f\nCONFLICT (content): Merge conflict in f\nAutomatic merge failed; fix conflicts and then commit the result.',
    },
  },
  {
    name: 'git-unmerged-files',
    output: [
      /is not possible because you have unmerged files|: needs merge$|you need to resolve your current index first|You have not concluded your (?:merge|cherry-pick)/m,
    ],
    means: 'An earlier merge, rebase or cherry-pick stopped at conflicts that are still open.',
    run: ['git status', 'git diff --name-only --diff-filter=U'],
    sample: {
      command: 'git commit -m x',
      exit: 128,
      output: `error: Committing is not possible because you have unmerged files.\nhint: Fix them up in the work tree, and then use 'git add/rm <file>'\nhint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.\nU\tf`,
    },
  },
  {
    name: 'git-operation-in-progress',
    output: [
      /It seems that there is already a rebase-(?:merge|apply) directory|fatal: (?:a )?(?:cherry-pick|revert) is already in progress|error: (?:a )?(?:cherry-pick|revert) is already in progress/,
    ],
    means: 'A rebase, cherry-pick or revert from before was never finished.',
    run: ['git status'],
    sample: {
      command: 'git rebase main',
      exit: 128,
      output:
        'fatal: It seems that there is already a rebase-merge directory, and\nI wonder if you are in the middle of another rebase.  If that is the\ncase, please try\n\tgit rebase (--continue | --abort | --skip)',
    },
  },
  {
    name: 'git-local-changes-overwritten',
    output: [/Your local changes to the following files would be overwritten by (?<what>\w+)/],
    means: 'Changes that are not committed are in the way of the {what}.',
    run: ['git status --short', 'git stash push'],
    sample: {
      command: 'git checkout main',
      exit: 1,
      output:
        'error: Your local changes to the following files would be overwritten by checkout:\n\tf\nPlease commit your changes or stash them before you switch branches.\nAborting',
    },
  },
  {
    name: 'git-untracked-overwritten',
    output: [/The following untracked working tree files would be overwritten by/],
    means: 'Files that git does not know have the names of files that would come in.',
    run: ['git status --short', 'git stash push --include-untracked'],
    sample: {
      command: 'git checkout feature',
      exit: 1,
      output:
        'error: The following untracked working tree files would be overwritten by checkout:\n\tnotes.md\nPlease move or remove them before you switch branches.\nAborting',
    },
  },
  {
    name: 'git-unstaged-changes',
    output: [
      /cannot (?:rebase|pull with rebase|rewrite branches): (?:You have|Your index contains) (?:unstaged|uncommitted) changes/,
    ],
    means: 'A rebase needs a clean work tree, and there are changes that are not committed.',
    run: ['git status --short', 'git stash push'],
    sample: {
      command: 'git pull --rebase',
      exit: 128,
      output: 'error: cannot pull with rebase: You have unstaged changes.\nerror: Please commit or stash them.',
    },
  },
  {
    name: 'git-index-lock',
    output: [/Unable to create '(?<lock>[^'\n]+\.lock)': File exists/],
    means: 'Another git command is running in this repository, or one was killed and left its lock behind.',
    run: ['pgrep -a git', 'ls -l {lock}'],
    sample: {
      command: 'git add -A',
      exit: 128,
      output: `fatal: Unable to create '/srv/app/.git/index.lock': File exists.\n\nAnother git process seems to be running in this repository, e.g.\nan editor opened by 'git commit'. Please make sure all processes\nare terminated then try again.`,
    },
  },
  {
    name: 'git-nothing-to-commit',
    obvious: true,
    output: [
      /^nothing to commit, working tree clean|^no changes added to commit|^nothing added to commit but untracked files present/m,
    ],
    programs: ['git'],
    means: 'There is nothing in the index to commit: all is committed already, or nothing was added.',
    run: ['git status --short', 'git log -1 --stat'],
    sample: {
      command: 'git commit -m "Fix"',
      exit: 1,
      output: 'On branch main\nnothing to commit, working tree clean',
    },
  },
  {
    name: 'git-pathspec',
    obvious: true,
    output: [/pathspec '(?<path>[^'\n]+)' did not match any file/],
    means: 'git knows neither a file nor a branch {path} from this directory.',
    run: ['git status --short', 'git branch --all'],
    sample: {
      command: 'git add src/nope.ts',
      exit: 128,
      output: "fatal: pathspec 'src/nope.ts' did not match any files",
    },
  },
  {
    name: 'git-unknown-revision',
    output: [
      /ambiguous argument '(?<revision>[^'\n]+)': unknown revision/,
      /fatal: (?:bad revision|invalid reference:|Needed a single revision|Not a valid object name:?) ?'?(?<revision>[\w./~^@{}-]*)/,
      /fatal: invalid object name '(?<revision>[^'\n]+)'/,
    ],
    means:
      'There is no such branch, tag, commit or path here: not fetched yet, misspelt, or named from another directory.',
    run: ['git fetch --all', 'git branch --all'],
    sample: {
      command: 'git log origin/nope',
      exit: 128,
      output: `fatal: ambiguous argument 'origin/nope': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
    },
  },
  {
    name: 'git-ignored-path',
    output: [/The following paths are ignored by one of your \.gitignore files:\n(?<path>\S+)/],
    means: '{path} is ignored by .gitignore, so it is not added.',
    run: ['git check-ignore -v {path}', 'git status --short'],
    sample: {
      command: 'git add dist/app.js',
      exit: 1,
      output:
        'The following paths are ignored by one of your .gitignore files:\ndist\nhint: Use -f if you really want to add them.',
    },
  },
  {
    name: 'git-branch-checked-out',
    output: [/fatal: '(?<branch>[^'\n]+)' is already (?:checked out|used by worktree) at '(?<path>[^'\n]+)'/],
    means: 'The branch {branch} is checked out in another work tree ({path}), and a branch can be in one only.',
    run: ['git worktree list'],
    sample: {
      command: 'git worktree add ../wt main',
      exit: 128,
      output: "Preparing worktree (checking out 'main')\nfatal: 'main' is already checked out at '/srv/repo'",
    },
  },
  {
    name: 'git-already-exists',
    output: [
      /fatal: a branch named '(?<name>[^'\n]+)' already exists/,
      /fatal: tag '(?<name>[^'\n]+)' already exists/,
      /error: remote (?<name>\S+) already exists/,
    ],
    means: 'The name {name} is taken already.',
    run: ['git branch --all', 'git tag --list', 'git remote -v'],
    sample: { command: 'git checkout -b fix', exit: 128, output: "fatal: a branch named 'fix' already exists" },
  },
  {
    name: 'git-identity',
    output: [/Author identity unknown|Please tell me who you are/],
    means: 'git does not know in whose name to commit.',
    run: ['git config --get user.email', 'git log -1 --format=%ae'],
    sample: {
      command: 'git commit -m x',
      exit: 128,
      output: `Author identity unknown\n\n*** Please tell me who you are.\n\nRun\n\n  git config --global user.email "you@example.com"\n  git config --global user.name "Your Name"\n\nfatal: unable to auto-detect email address (got 'root@vm.(none)')`,
    },
  },
  {
    name: 'git-dubious-ownership',
    output: [/detected dubious ownership in repository at '(?<path>[^'\n]+)'/],
    means: 'The repository {path} belongs to another user, so git does not trust its configuration.',
    run: ['ls -ld {path}', 'git config --global --add safe.directory {path}'],
    sample: {
      command: 'git status',
      exit: 128,
      output:
        "fatal: detected dubious ownership in repository at '/srv/app'\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory /srv/app",
    },
  },
  {
    name: 'git-unrelated-histories',
    output: [/fatal: refusing to merge unrelated histories/],
    means: 'The two branches have no commit in common: the wrong remote, or a repository that was made anew.',
    run: ['git remote -v', 'git log --oneline -3 FETCH_HEAD'],
    sample: {
      command: 'git pull origin main',
      exit: 128,
      output:
        'From ../repo\n * branch            main       -> FETCH_HEAD\nfatal: refusing to merge unrelated histories',
    },
  },
  {
    name: 'git-patch-failed',
    obvious: true,
    output: [
      /error: patch failed: (?<file>[^\s:]+):(?<line>\d+)|error: (?<path>\S+): patch does not apply|error: corrupt patch at line/,
    ],
    means: 'The patch was made for another state of the file than the one that is here.',
    run: ['git status --short', 'git log -3 --oneline -- {file}'],
    sample: {
      command: 'git apply fix.patch',
      exit: 1,
      output: 'error: patch failed: src/f.ts:1\nerror: src/f.ts: patch does not apply',
    },
  },
  {
    name: 'git-stash-empty',
    output: [/^No stash entries found\.$/m],
    means: 'There is nothing in the stash.',
    run: ['git stash list', 'git status --short'],
    sample: { command: 'git stash pop', exit: 1, output: 'No stash entries found.' },
  },
]
