import type { KnownFailure } from './known.ts'

export const commitHooks: readonly KnownFailure[] = [
  {
    name: 'pre-commit-changed-files',
    output: [/^- files were modified by this hook/m],
    means: 'A hook corrected files and stopped the commit so that the corrections can be added to it.',
    run: ['git status --short', 'git add -u'],
    sample: {
      command: 'git commit -m "Fix"',
      exit: 1,
      output:
        'Trim Trailing Whitespace.................................................Failed\n- hook id: trailing-whitespace\n- exit code: 1\n- files were modified by this hook\n\nFixing src/a.py',
    },
  },
  {
    name: 'pre-commit-failed',
    output: [/^- hook id: (?<hook>[\w.-]+)\n(?:- duration: .*\n)?- exit code: \d+(?!\n- files were modified)/m],
    means: 'The hook {hook} found something and stopped the commit; its output says what.',
    run: ['pre-commit run {hook} --all-files'],
    sample: {
      command: 'git commit -m "Fix"',
      exit: 1,
      output:
        'mypy.....................................................................Failed\n- hook id: mypy\n- exit code: 1\n\nsrc/a.py:3: note: see above\nFound 1 problem',
    },
  },
  {
    name: 'husky-failed',
    output: [/husky - (?<hook>[\w-]+) (?:hook exited with code|script failed)/],
    means: 'The hook {hook} of this project stopped the commit or push; its output above says why.',
    run: ['ls .husky', 'npm run'],
    sample: { command: 'git commit -m "Fix"', exit: 1, output: 'husky - pre-commit script failed (code 1)' },
  },
  {
    name: 'lint-staged-failed',
    output: [/✖ (?<task>[^\n]{1,80}):\n|lint-staged.*failed|✖ lint-staged/],
    programs: ['git', 'lint-staged', 'npx'],
    means: 'A check on the staged files failed and stopped the commit.',
    run: ['git diff --cached --name-only', 'npx lint-staged --diff=HEAD'],
    sample: {
      command: 'git commit -m "Fix"',
      exit: 1,
      output: '✔ Preparing lint-staged...\n❯ Running tasks for staged files...\n✖ eslint --fix:\n\n/srv/app/a.js\n',
    },
  },
  {
    name: 'commit-message-refused',
    output: [/✖\s+(?:subject|type|body|header)[\w ]+\[(?<rule>[\w-]+)\]/],
    means: 'The commit message breaks the rule {rule} of this project.',
    run: ['git log -5 --format=%s'],
    sample: {
      command: 'git commit -m "Fix"',
      exit: 1,
      output:
        '⧗   input: Fix\n✖   subject may not be empty [subject-empty]\n✖   type may not be empty [type-empty]\n\n✖   found 2 problems, 0 warnings',
    },
  },
  {
    name: 'pre-commit-config-missing',
    output: [/InvalidConfigError:|No \.pre-commit-config\.yaml file was found/],
    means: 'The hook of pre-commit is installed, but this branch or directory has no usable configuration for it.',
    run: ['git ls-files .pre-commit-config.yaml', 'git log -1 --oneline -- .pre-commit-config.yaml'],
    sample: {
      command: 'git commit -m "Fix"',
      exit: 1,
      output:
        'No .pre-commit-config.yaml file was found\n- To temporarily silence this, run `PRE_COMMIT_ALLOW_NO_CONFIG=1 git ...`\n- To permanently silence this, install pre-commit with the --allow-missing-config option',
    },
  },
]
