import { z } from 'zod'

/** The schema of rule files. Each `describe` is a line of docs/rule-reference.md and of the JSON Schema that editors read. */

const oneOrMore = <T extends z.ZodType>(one: T) => z.union([one, z.array(one).min(1)])

const RuleName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
  .describe('lower case letters, digits and dashes; unique among all rule files that apply')

export const surfaces = ['shell', 'write', 'edit', 'delete', 'read', 'fetch', 'mcp', 'prompt', 'stop'] as const
export const Surface = z.enum(surfaces)
export type Surface = z.infer<typeof Surface>

const Duration = z
  .string()
  .regex(/^\d+(ms|s|m|h|d)$/)
  .describe('`500ms`, `30s`, `10m`, `2h` or `7d`')

/** Which text of a call a matcher looks at; what there is depends on the surface. */
const textTargets = ['command', 'content', 'added', 'result', 'path', 'url', 'prompt', 'input'] as const
export const TextTarget = z
  .enum(textTargets)
  .describe(
    '`command` of a shell call; `content`: what is written (the new text of an edit); `added`: the lines that are new; `result`: the whole file as it will be; `path`; `url`; `prompt`; `input`: the whole input of the tool as JSON. Without it: the command, the content, the path of a read, the address, the prompt or the input',
  )
export type TextTarget = z.infer<typeof TextTarget>

export const RegexMatcher = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe('an RE2 expression (linear time: no look-around, no back references); `(?P<name>…)` captures'),
  flags: z
    .string()
    .regex(/^[ims]*$/)
    .optional()
    .describe('`i`, `m`, `s`'),
  on: TextTarget.optional(),
  suggestion: z
    .string()
    .optional()
    .describe('a text with `{{ $1 }}` or `{{ $name }}`; messages say it as `{{ $suggestion }}`'),
})

export const ShellMatcher = z
  .strictObject({
    program: oneOrMore(z.string())
      .optional()
      .describe(
        'names of programs, also as globs (`python*`), without their directory; `!` takes out again, and the last one that fits counts',
      ),
    subcommand: oneOrMore(z.string()).optional().describe('`push`, or of several words: `stash drop`'),
    flags: oneOrMore(z.string())
      .optional()
      .describe('one of these is given; `-f` is also found in `-xf`, `--force` in `--force=x`'),
    all_flags: z.array(z.string()).min(1).optional().describe('each of these is given'),
    without_flags: z.array(z.string()).min(1).optional().describe('none of these is given'),
    args: oneOrMore(z.string()).optional().describe('an operand fits one of these globs'),
    reads: oneOrMore(z.string()).optional().describe('it reads a file that fits one of these globs'),
    writes: oneOrMore(z.string())
      .optional()
      .describe('it writes, moves or changes a file that fits (redirections, `sed -i`, `tee`, `cp`, `mv` …)'),
    deletes: oneOrMore(z.string()).optional().describe('it deletes such a file'),
    pipes_to: oneOrMore(z.string()).optional().describe('its output goes to such a program'),
    words: z
      .string()
      .optional()
      .describe('an RE2 expression on the words of the command as the program gets them, joined by one space'),
  })
  .refine((given) => Object.keys(given).length > 0, 'at least one field')
  .describe(
    'fits one simple command: all fields must fit the same one. Wrappers, `bash -c`, substitutions and pipelines are looked into',
  )

export const TreeMatcher = z.strictObject({
  language: z
    .string()
    .describe(
      '`typescript`, `tsx`, `javascript`, `python`, `go`, `rust`, `java`, `csharp`, `php`, `ruby`, `cpp`, `css`, `bash`, or the path of a grammar (`.wasm`) beside the rule file',
    ),
  query: z.string().min(1).describe('a tree-sitter query; its captures can be named in messages'),
  on: TextTarget.optional(),
  suggestion: z.string().optional(),
})

export const ExternalMatcher = z.strictObject({
  command: z
    .array(z.string())
    .min(1)
    .describe(
      'program and arguments; the text is on its standard input. Exit 0 is no match, anything else, also a missing program, is one',
    ),
  timeout: Duration.optional().describe('2s unless told; too late is a match'),
  on: TextTarget.optional(),
})

export const StateMatcher = z
  .strictObject({
    branch: oneOrMore(z.string()).optional().describe('the git branch fits one of these globs'),
    dirty: z.boolean().optional().describe('whether the work tree has changes that are not committed'),
    agent: oneOrMore(z.string()).optional().describe('handles, also as globs'),
    driver: oneOrMore(z.string()).optional().describe('`claude`, `codex`, `copilot`, `gemini`, `opencode`'),
    host: oneOrMore(z.string()).optional().describe('`stream`, `tmux`, `pty`, `outside`'),
    subagent: z.boolean().optional().describe('whether a sub-agent makes the call'),
    hours: z
      .string()
      .regex(/^\d{2}:\d{2}-\d{2}:\d{2}$/)
      .optional()
      .describe('local time, `22:00-06:00`'),
    days: oneOrMore(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']))
      .optional()
      .describe('local days'),
    lease: z
      .enum(['mine', 'other', 'none'])
      .optional()
      .describe('who has a lease on the file that the call writes, edits or deletes; other calls never fit'),
    budget_used: z
      .number()
      .min(0)
      .optional()
      .describe('US dollars that the agent has used in this run, at least; where its CLI tells no costs it never fits'),
  })
  .refine((given) => Object.keys(given).length > 0, 'at least one field')

export const RanMatcher = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe(
      'an RE2 expression on a program that was run, with its words joined by one space: `npm test`. It must fit from the first word, wherever the program stands in its line',
    ),
  outcome: z
    .enum(['success', 'failure', 'any'])
    .optional()
    .describe(
      '`success` unless told: its line ended well, and could not have if the program had failed. So `cd app && npm test` and `npm test && echo ok` count; `npm test | tail` (without `set -o pipefail`), `npm test || true`, `npm test; echo done` and `npm test &` do not',
    ),
  since: z
    .enum(['edit', 'turn', 'session'])
    .optional()
    .describe('`edit` unless told: since the last change of a file by this agent. What was not edited needs no run'),
})

export type Matcher =
  | { all: Matcher[] }
  | { any: Matcher[] }
  | { not: Matcher }
  | { regex: string | z.infer<typeof RegexMatcher> }
  | { shell: z.infer<typeof ShellMatcher> }
  | { tree: z.infer<typeof TreeMatcher> }
  | { markdown: { language?: string | string[] | undefined; when: Matcher } }
  | { external: z.infer<typeof ExternalMatcher> }
  | { state: z.infer<typeof StateMatcher> }
  | { ran: z.infer<typeof RanMatcher> }

const nested: z.ZodType<Matcher> = z.lazy(() => Matcher)

export const Matcher: z.ZodType<Matcher> = z.union([
  z.strictObject({ all: z.array(nested).min(1) }).describe('all fit'),
  z.strictObject({ any: z.array(nested).min(1) }).describe('one fits'),
  z.strictObject({ not: nested }).describe('it does not fit'),
  z.strictObject({ regex: z.union([z.string().min(1), RegexMatcher]) }),
  z.strictObject({ shell: ShellMatcher }),
  z.strictObject({ tree: TreeMatcher }),
  z
    .strictObject({ markdown: z.strictObject({ language: oneOrMore(z.string()).optional(), when: nested }) })
    .describe(
      '`when` fits a fenced code block (of this language) of a markdown text; places are those of the whole text',
    ),
  z.strictObject({ external: ExternalMatcher }),
  z.strictObject({ state: StateMatcher }),
  z.strictObject({ ran: RanMatcher }).describe('such a program was run by this agent'),
])

export const RuleAction = z.enum(['block', 'rewrite', 'ask', 'warn', 'context', 'log'])
export type RuleAction = z.infer<typeof RuleAction>

export const RuleTest = z.strictObject({
  input: z
    .union([
      z.string(),
      z.strictObject({
        surface: Surface.optional().describe('one of the rule’s; without it the one that the other parts are of'),
        path: z.string().optional().describe('from the top of the project'),
        content: z.string().optional().describe('of a write'),
        before: z.string().optional().describe('the file as it is before an edit'),
        old: z.string().optional().describe('what an edit replaces'),
        new: z.string().optional().describe('what it puts there'),
        command: z.string().optional(),
        url: z.string().optional(),
        prompt: z.string().optional(),
        tool: z.string().optional().describe('`server/tool` of mcp'),
        branch: z.string().optional().describe('the git branch'),
        agent: z.string().optional().describe('its handle'),
        driver: z.string().optional().describe('`claude` unless told'),
        ran: z.array(z.string()).optional().describe('lines that were run since the last edit, and ended well'),
      }),
    ])
    .describe('a text for the first surface of the rule, or the parts of a call'),
  expect: z.union([RuleAction, z.literal('pass')]).describe('what the rule does, or `pass`'),
  message: z.string().optional().describe('stands in what is said'),
  rewrite: z.string().optional().describe('what becomes of the text'),
})

export const Rule = z.strictObject({
  name: RuleName,
  description: z.string().optional().describe('what it is for; `rein rules list --json` and templates show it'),
  on: oneOrMore(Surface).describe('what it looks at'),
  files: oneOrMore(z.string())
    .optional()
    .describe(
      'globs of paths from the top of the project; `!` takes out again, and the last one that fits counts. For write, edit, delete and read',
    ),
  tools: oneOrMore(z.string()).optional().describe('globs of `server/tool`, for mcp'),
  when: z
    .union([Matcher, z.array(Matcher).min(1)])
    .optional()
    .describe('a matcher, or a list of which all must fit; without it everything fits'),
  action: RuleAction.default('block').describe(
    'what is done. `block` and `ask` stop the call, `rewrite` changes it, `warn` and `context` tell the model afterwards, `log` only notes it',
  ),
  guard: z
    .boolean()
    .default(false)
    .describe(
      'it holds even while the daemon is dead, hung or being started again. For `block`, and not for prompt and stop',
    ),
  message: z
    .string()
    .min(1)
    .optional()
    .describe(
      'what the model is told: what is wrong, and how to do it right. Captures as `{{ $1 }}`, `{{ $name }}`, `{{ $suggestion }}`; of the call `{{ $path }}`, `{{ $command }}`, `{{ $url }}`; of a `shell` matcher `{{ $program }}`, `{{ $subcommand }}`, `{{ $words }}`; of an `external` one `{{ $status }}`, `{{ $output }}`. What no matcher of the rule gives is an error',
    ),
  rewrite: z
    .strictObject({
      pattern: z.string().min(1).describe('an RE2 expression on the text'),
      with: z.string().describe('what stands there instead; captures as in messages'),
      all: z.boolean().optional().describe('each place, not only the first'),
    })
    .optional()
    .describe(
      'for `rewrite`: what is replaced in the command, the content, the new text or the address. With a `shell` matcher only in the commands of the line that fit it',
    ),
  once: z.enum(['turn', 'session']).optional().describe('it acts once in each'),
  cooldown: Duration.optional().describe('after it has acted it is silent for so long'),
  max: z
    .strictObject({ turn: z.number().int().min(1).optional(), session: z.number().int().min(1).optional() })
    .optional()
    .describe('how often it acts at most; after that it is silent, and a `block` lets pass'),
  enabled: z.boolean().default(true).describe('`false` switches it off; its tests are run all the same'),
  tests: z.array(RuleTest).optional().describe('run by `rein rules test`'),
})
export type Rule = z.infer<typeof Rule>

export const RuleFile = z.strictObject({
  version: z.literal(1),
  rules: z.array(Rule).min(1),
})
export type RuleFile = z.infer<typeof RuleFile>
