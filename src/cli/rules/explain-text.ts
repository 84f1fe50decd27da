import type { Explanation } from '../../contract/routes/rules.ts'
import type { Output } from '../output.ts'
import { block, oneLine } from '../safe-text.ts'
import { joinLines } from '../format.ts'

const words = {
  deny: 'denied',
  ask: 'a person is asked',
  rewrite: 'changed, then run',
  warn: 'run, with a warning',
  context: 'run, with something to know',
  log: 'run, and noted',
  approve: 'run without asking',
} as const

const colours = {
  deny: 'red',
  ask: 'yellow',
  rewrite: 'yellow',
  warn: 'yellow',
  context: 'cyan',
  log: 'dim',
  approve: 'green',
} as const

type Reader = Pick<Output, 'style' | 'isAgent'>

/** Each call, the decision, and all opinions, strongest first. */
export const explainedText = (explained: readonly Explanation[], reader: Reader): string =>
  explained.length === 0
    ? 'There are no calls to explain.'
    : explained
        .map((one) => {
          const { tool, input, rewritten, opinions, decided, by, isRecorded } = one
          const { style } = reader
          const verdict =
            decided === null
              ? style.green('No rule applies: the CLI decides as usual')
              : style[colours[decided]](words[decided])
          return joinLines(
            `${style.bold(oneLine(tool, 60))} ${oneLine(JSON.stringify(input), 160)}`,
            `→ ${verdict}${by === null ? '' : `, by ${oneLine(by, 80)}`}`,
            rewritten !== null && `  would run: ${oneLine(JSON.stringify(rewritten), 160)}`,
            isRecorded === false && '  No rule was applied when it ran: this is what the rules say now.',
            ...opinions.flatMap((opinion) => [
              `  ${style[colours[opinion.kind]](opinion.kind.padEnd(8))} ${oneLine(opinion.by, 80)}${opinion.isGuard ? ' (guard)' : ''}`,
              ...(opinion.reason === '' ? [] : [block(opinion.reason.trim(), reader)]),
            ]),
          )
        })
        .join('\n\n')
