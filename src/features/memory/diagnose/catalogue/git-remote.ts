import type { KnownFailure } from './known.ts'

/** What goes wrong between git and another repository, and with GitHub's own command. */
export const gitRemote: readonly KnownFailure[] = [
  {
    name: 'git-push-behind',
    output: [/! \[rejected\]\s+(?<branch>\S+) -> \S+ \((?:non-fast-forward|fetch first)\)/],
    means: 'The remote has commits on {branch} that are not here: take them in first.',
    run: ['git fetch', 'git pull --rebase'],
    sample: {
      command: 'git push origin main',
      exit: 1,
      output: `To ../bare.git\n ! [rejected]        main -> main (non-fast-forward)\nerror: failed to push some refs to '../bare.git'\nhint: Updates were rejected because the tip of your current branch is behind\nhint: its remote counterpart.`,
    },
  },
  {
    name: 'git-push-stale',
    output: [/! \[rejected\].*\(stale info\)/],
    means: 'The remote branch has moved since it was last fetched, so a push with lease is refused.',
    run: ['git fetch', 'git log --oneline HEAD..@{u}'],
    sample: {
      command: 'git push --force-with-lease',
      exit: 1,
      output: ' ! [rejected]        fix -> fix (stale info)\nerror: failed to push some refs to origin',
    },
  },
  {
    name: 'git-push-refused',
    output: [/! \[remote rejected\].*\((?<reason>[^)\n]+)\)/],
    means: 'The remote itself refuses the push ({reason}): a protected branch, a rule or a hook on the server.',
    run: ['git branch --show-current', 'gh pr create --fill'],
    sample: {
      command: 'git push origin main',
      exit: 1,
      output:
        'remote: error: GH006: Protected branch update failed for refs/heads/main.\n ! [remote rejected] main -> main (protected branch hook declined)',
    },
  },
  {
    name: 'git-no-upstream',
    output: [/The current branch (?<branch>\S+) has no upstream branch/],
    means: 'The branch {branch} was never pushed, so git does not know where to.',
    run: ['git push --set-upstream origin {branch}'],
    sample: {
      command: 'git push',
      exit: 128,
      output:
        'fatal: The current branch fix has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream origin fix',
    },
  },
  {
    name: 'git-no-tracking',
    output: [/There is no tracking information for the current branch/],
    means: 'The current branch follows no branch of a remote, so git does not know what to pull.',
    run: ['git branch -vv', 'git pull origin main'],
    sample: {
      command: 'git pull',
      exit: 1,
      output:
        'There is no tracking information for the current branch.\nPlease specify which branch you want to merge with.\nSee git-pull(1) for details.',
    },
  },
  {
    name: 'git-detached',
    output: [/You are not currently on a branch/],
    means: 'HEAD is detached: commits made here belong to no branch, so there is none to push or pull.',
    run: ['git status', 'git branch --all --contains HEAD'],
    sample: {
      command: 'git push',
      exit: 128,
      output:
        'fatal: You are not currently on a branch.\nTo push the history leading to the current (detached HEAD)\nstate now, use\n\n    git push origin HEAD:<name-of-remote-branch>',
    },
  },
  {
    name: 'git-divergent',
    output: [/Need to specify how to reconcile divergent branches|Not possible to fast-forward, aborting/],
    means: 'Both the local and the remote branch have new commits, and git was not told whether to merge or to rebase.',
    run: ['git log --oneline --left-right HEAD...@{u}', 'git pull --rebase'],
    sample: {
      command: 'git pull',
      exit: 128,
      output:
        'hint: You have divergent branches and need to specify how to reconcile them.\nfatal: Need to specify how to reconcile divergent branches.',
    },
  },
  {
    name: 'git-no-remote',
    output: [
      /fatal: No configured push destination/,
      /fatal: '(?<remote>[^'\n]+)' does not appear to be a git repository/,
    ],
    means: 'This repository has no such remote.',
    run: ['git remote -v'],
    sample: {
      command: 'git push origin main',
      exit: 128,
      output: "fatal: 'origin' does not appear to be a git repository\nfatal: Could not read from remote repository.",
    },
  },
  {
    name: 'git-ref-unknown-remote',
    output: [/fatal: couldn't find remote ref (?<ref>\S+)/, /error: src refspec (?<ref>\S+) does not match any/],
    means: 'There is no branch {ref} on that side: not pushed yet, deleted after its merge, or misspelt.',
    run: ['git branch --all', 'git ls-remote --heads origin'],
    sample: { command: 'git fetch origin nope', exit: 128, output: "fatal: couldn't find remote ref nope" },
  },
  {
    name: 'git-authentication',
    output: [
      /fatal: Authentication failed for|remote: Invalid username or (?:password|token)|could not read (?:Username|Password) for|Support for password authentication was removed/,
    ],
    means: 'The remote does not accept the login that git has, or git has none.',
    run: ['git remote -v', 'gh auth status'],
    sample: {
      command: 'git push',
      exit: 128,
      output: "fatal: could not read Username for 'https://github.com': terminal prompts disabled",
    },
  },
  {
    name: 'git-repository-unknown',
    output: [/remote: Repository not found|ERROR: Repository not found/],
    means: 'There is no such repository, or the login may not see it.',
    run: ['git remote -v', 'gh auth status'],
    sample: {
      command: 'git clone git@github.com:acme/nope.git',
      exit: 128,
      output: "Cloning into 'nope'...\nERROR: Repository not found.\nfatal: Could not read from remote repository.",
    },
  },
  {
    name: 'git-file-too-large',
    output: [/File (?<file>\S+) is [\d.]+ MB; this exceeds GitHub's file size limit/],
    means: '{file} is larger than GitHub takes; it has to leave the commits, not only the work tree.',
    run: ['git log --oneline -- {file}', 'git lfs track {file}'],
    sample: {
      command: 'git push',
      exit: 1,
      output:
        "remote: error: File data/model.bin is 143.20 MB; this exceeds GitHub's file size limit of 100.00 MB\nremote: error: GH001: Large files detected.",
    },
  },
  {
    name: 'gh-not-logged-in',
    output: [
      /To get started with GitHub CLI, please run:\s+gh auth login|gh: To use GitHub CLI in a GitHub Actions workflow, set the GH_TOKEN/,
    ],
    means: 'The GitHub command is not logged in on this machine.',
    run: ['gh auth status'],
    sample: {
      command: 'gh pr list',
      exit: 4,
      output:
        'To get started with GitHub CLI, please run:  gh auth login\nAlternatively, populate the GH_TOKEN environment variable with a GitHub API authentication token.',
    },
  },
  {
    name: 'gh-not-found',
    obvious: true,
    output: [/^gh: .* \(HTTP 404\)$/m, /GraphQL: Could not resolve to an? (?<what>\w+)/],
    means: 'GitHub knows no such thing under that address, or the login may not see it.',
    run: ['gh repo view', 'gh auth status'],
    sample: {
      command: 'gh api repos/acme/cli/pulls/comments/27/replies',
      exit: 1,
      output: 'gh: Not Found (HTTP 404)\n\n{"message": "Not Found", "status": "404"}',
    },
  },
  {
    name: 'gh-no-pull-request',
    output: [/no pull requests found for branch "(?<branch>[^"\n]+)"/],
    means: 'The branch {branch} has no pull request yet, or it was not pushed.',
    run: ['gh pr list --head {branch} --state all', 'gh pr create --fill'],
    sample: { command: 'gh pr view', exit: 1, output: 'no pull requests found for branch "fix/trace"' },
  },
]
