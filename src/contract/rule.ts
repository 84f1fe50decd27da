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
    '`command` of a shell call; `content`: the written text (the new text of an edit); `added`: the new lines; `result`: the whole file after the change; `path`; `url`; `prompt`; `input`: the whole input of the tool as JSON. By default: the command, the content, the path of a read, the address, the prompt or the input',
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
    .describe('a text with `{{ $1 }}` or `{{ $name }}`; messages include it as `{{ $suggestion }}`'),
})

export const ShellMatcher = z
  .strictObject({
    program: oneOrMore(z.string())
      .optional()
      .describe(
        'names of programs, also as globs (`python*`), without their directory; `!` excludes, and the last match counts',
      ),
    subcommand: oneOrMore(z.string()).optional().describe('`push`, or of several words: `stash drop`'),
    flags: oneOrMore(z.string())
      .optional()
      .describe('one of these is present; `-f` also matches in `-xf`, `--force` in `--force=x`'),
    all_flags: z.array(z.string()).min(1).optional().describe('all of these are present'),
    without_flags: z.array(z.string()).min(1).optional().describe('none of these is present'),
    args: oneOrMore(z.string()).optional().describe('an operand matches one of these globs'),
    reads: oneOrMore(z.string()).optional().describe('it reads a file that matches one of these globs'),
    writes: oneOrMore(z.string())
      .optional()
      .describe(
        'it writes, moves or changes a file that matches one of these globs (redirections, `sed -i`, `tee`, `cp`, `mv` …)',
      ),
    deletes: oneOrMore(z.string()).optional().describe('it deletes a file that matches one of these globs'),
    pipes_to: oneOrMore(z.string()).optional().describe('its output goes to one of these programs'),
    words: z
      .string()
      .optional()
      .describe('an RE2 expression on the arguments as the program gets them, joined by one space'),
  })
  .refine((given) => Object.keys(given).length > 0, 'at least one field')
  .describe(
    'matches one simple command: all fields must match the same one. Commands inside wrappers, `bash -c`, substitutions and pipelines count',
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
      'program and arguments; the text is on its standard input. Exit code 0 is no match; any other result, also a missing program, is a match',
    ),
  timeout: Duration.optional().describe('the time limit, 2s by default; a timeout is a match'),
  on: TextTarget.optional(),
})

export const StateMatcher = z
  .strictObject({
    branch: oneOrMore(z.string()).optional().describe('the git branch matches one of these globs'),
    dirty: z.boolean().optional().describe('whether the work tree has uncommitted changes'),
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
      .describe('the holder of a lease on the file that the call writes, edits or deletes; other calls never match'),
    budget_used: z
      .number()
      .min(0)
      .optional()
      .describe(
        'the least amount of US dollars that the agent has used in this run; never matches if its CLI does not report costs',
      ),
  })
  .refine((given) => Object.keys(given).length > 0, 'at least one field')

export const RanMatcher = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe(
      'an RE2 expression on a program that was run, with its words joined by one space: `npm test`. It must match from the first word; the program may be anywhere in its line',
    ),
  outcome: z
    .enum(['success', 'failure', 'any'])
    .optional()
    .describe(
      '`success` by default: its line succeeded, and could not have if the program had failed. So `cd app && npm test` and `npm test && echo ok` count; `npm test | tail` (without `set -o pipefail`), `npm test || true`, `npm test; echo done` and `npm test &` do not',
    ),
  since: z
    .enum(['edit', 'turn', 'session'])
    .optional()
    .describe('`edit` by default: since the last change of a file by this agent. Without an edit, no run is needed'),
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
  z.strictObject({ all: z.array(nested).min(1) }).describe('all of them match'),
  z.strictObject({ any: z.array(nested).min(1) }).describe('one of them matches'),
  z.strictObject({ not: nested }).describe('it does not match'),
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
  z.strictObject({ ran: RanMatcher }).describe('this agent has run such a program'),
])

export const RuleAction = z.enum(['block', 'rewrite', 'ask', 'warn', 'context', 'log'])
export type RuleAction = z.infer<typeof RuleAction>

export const RuleTest = z.strictObject({
  input: z
    .union([
      z.string(),
      z.strictObject({
        surface: Surface.optional().describe('one of the surfaces of the rule; by default the one of the other parts'),
        path: z.string().optional().describe('from the top of the project'),
        content: z.string().optional().describe('the content of a write'),
        before: z.string().optional().describe('the file before an edit'),
        old: z.string().optional().describe('the text that an edit replaces'),
        new: z.string().optional().describe('the new text of an edit'),
        command: z.string().optional(),
        url: z.string().optional(),
        prompt: z.string().optional(),
        tool: z.string().optional().describe('`server/tool` of mcp'),
        branch: z.string().optional().describe('the git branch'),
        agent: z.string().optional().describe('its handle'),
        driver: z.string().optional().describe('`claude` by default'),
        ran: z.array(z.string()).optional().describe('lines that ran successfully since the last edit'),
      }),
    ])
    .describe('a text for the first surface of the rule, or the parts of a call'),
  expect: z.union([RuleAction, z.literal('pass')]).describe('the action of the rule, or `pass`'),
  message: z.string().optional().describe('a text that the message must contain'),
  rewrite: z.string().optional().describe('the rewritten text'),
})

export const Rule = z.strictObject({
  name: RuleName,
  description: z.string().optional().describe('the purpose; `rein rules list --json` and templates show it'),
  on: oneOrMore(Surface).describe('the surfaces that it checks'),
  files: oneOrMore(z.string())
    .optional()
    .describe(
      'globs of paths from the top of the project; `!` excludes, and the last match counts. For write, edit, delete and read',
    ),
  tools: oneOrMore(z.string()).optional().describe('globs of `server/tool`, for mcp'),
  when: z
    .union([Matcher, z.array(Matcher).min(1)])
    .optional()
    .describe('a matcher, or a list of matchers that must all match; without it every call matches'),
  action: RuleAction.default('block').describe(
    'the action. `block` and `ask` stop the call, `rewrite` changes it, `warn` and `context` tell the model afterwards, `log` only records it',
  ),
  guard: z
    .boolean()
    .default(false)
    .describe(
      'it also works while the daemon is dead, hangs or restarts. Only for `block`, and not for prompt and stop',
    ),
  message: z
    .string()
    .min(1)
    .optional()
    .describe(
      'the text for the model: what is wrong, and how to do it right. Captures as `{{ $1 }}`, `{{ $name }}`, `{{ $suggestion }}`; of the call `{{ $path }}`, `{{ $command }}`, `{{ $url }}`; of a `shell` matcher `{{ $program }}`, `{{ $subcommand }}`, `{{ $words }}`; of an `external` one `{{ $status }}`, `{{ $output }}`. A name that no matcher of the rule provides is an error',
    ),
  rewrite: z
    .strictObject({
      pattern: z.string().min(1).describe('an RE2 expression on the text'),
      with: z.string().describe('the replacement; captures as in messages'),
      all: z.boolean().optional().describe('all occurrences, not only the first'),
    })
    .optional()
    .describe(
      'for `rewrite`: the replacement in the command, the content, the new text or the address. With a `shell` matcher, only in the matching commands of the line',
    ),
  once: z.enum(['turn', 'session']).optional().describe('it acts at most once per turn or session'),
  cooldown: Duration.optional().describe('after it has acted, it is silent for this long'),
  max: z
    .strictObject({ turn: z.number().int().min(1).optional(), session: z.number().int().min(1).optional() })
    .optional()
    .describe('how often it acts at most; after that it is silent, and a `block` lets calls pass'),
  enabled: z.boolean().default(true).describe('`false` switches it off; its tests still run'),
  tests: z.array(RuleTest).optional().describe('run by `rein rules test`'),
})
export type Rule = z.infer<typeof Rule>

export const RuleFile = z.strictObject({
  version: z.literal(1),
  rules: z.array(Rule).min(1),
})
export type RuleFile = z.infer<typeof RuleFile>
