import { command } from '../command.ts'
import { argument, flag, tuple } from '../parameters.ts'

const policyBrief = 'What it is answered when it asks: ask, approve or deny, or TOOL=ask|approve|deny; may be repeated'

export const replaying = {
  replay: command({
    brief:
      'Replay a session or a bundle offline with the real CLI and the recorded replies, and show where it diverges',
    more: 'Tools really run, in a scratch copy of the recorded files; nothing is sent to a model, and your own files are not touched. Rules and hooks in the tree apply. For a bundle, like ./work.rein, everything it would run is shown first and runs only after a yes. Exit code 0: all went as recorded, 1: it diverged.',
    examples: [
      'rein session replay worker-1 --turns 2..4 --policy Bash=deny',
      'rein session replay ./work.rein --dry-run',
    ],
    flags: {
      turns: flag.text('A..B', 'Only these turns [default: all, up to where the agent is]'),
      policy: flag.repeated('RULE', policyBrief),
      rules: flag.text(
        'DIR',
        'Try the rules and hooks of this tree: .claude, .codex, .mcp.json, CLAUDE.md, AGENTS.md [default: the recorded ones]',
      ),
      bring: {
        ...flag.parsed(
          'PATH',
          'Also copy this ignored path in its present state, like node_modules; may be repeated',
          String,
        ),
        variadic: true,
      } as const,
      dryRun: flag.yes('Only show prompts, commands and files; run nothing'),
      yes: flag.yes(
        'Also run commands that reach outside the tree (network, processes, other files, sudo), and commands of a bundle',
      ),
      keep: flag.yes('Leave the scratch directory where it is'),
    },
    args: tuple(argument.sessionOrBundle),
    load: () => import('./handler.ts'),
  }),
}
