import type { EvalView, ImportView, WasteView } from '../../contract/outputs/memory.ts'
import { counted, formatShare, formatTable, joinLines } from '../format.ts'
import type { Reader } from '../output.ts'
import { oneLine, shownPath } from '../safe-text.ts'

const programsShown = 20
const nameLimit = 60
const filesShown = 20

type View = Pick<Reader, 'style' | 'columns'>
type Level = EvalView['exact']

/** How well commands were predicted, each before it was seen. */
export const evalText = (
  { commands, groups, exact, template, shuffled }: EvalView,
  { style, columns }: View,
): string => {
  const levels: [string, Level][] = [
    ['exact', exact],
    ['template', template],
    ...(shuffled === null
      ? []
      : ([
          ['exact, shuffled', shuffled.exact],
          ['template, shuffled', shuffled.template],
        ] as [string, Level][])),
  ]
  return [
    `${style.bold(counted(commands, 'command'))} in ${counted(groups, 'group')} (projects, or people), each predicted before it was learnt; figures in %.`,
    formatTable(
      ['', 'HIT@1', 'HIT@3', 'HIT@5', 'MRR', 'AFTER A FAILURE @5', 'SUREST 10TH @1', 'MACRO @1', 'MACRO @5'],
      levels.map(([name, { micro, macro }]) => [
        name,
        figure(micro.hit1),
        figure(micro.hit3),
        figure(micro.hit5),
        micro.mrr === null ? '-' : micro.mrr.toFixed(3),
        figure(micro.afterFailureHit5),
        figure(micro.p1at10),
        figure(macro.hit1),
        figure(macro.hit5),
      ]),
      { columns },
    ),
    'Exact: the command letter by letter. Template: the same program and options, whatever files and numbers. Macro: the mean over those with at least 200 commands.',
  ].join('\n')
}

const figure = (value: number | null): string => (value === null ? '-' : value.toFixed(1))

export const wasteText = (waste: WasteView, { style, columns }: View): string => {
  const { transcripts, sessions, commands, failed, retries, wrongTool, wastedTokens, wastedMinutes } = waste
  if (commands === 0) return `No shell command was found in ${counted(transcripts, 'transcript')}.`
  const share = (count: number): string => formatShare(count / commands)
  const rows = waste.programs
    .slice(0, programsShown)
    .map((each) => [
      oneLine(each.program, nameLimit),
      String(each.runs),
      String(each.failed),
      formatShare(each.failed / each.runs),
      String(each.wrongTool),
    ])
  return [
    `${style.bold(counted(commands, 'command'))} in ${counted(sessions, 'session')} (${counted(transcripts, 'transcript')}).`,
    formatTable(
      ['', 'COUNT', 'SHARE'],
      [
        ['failed', String(failed), share(failed)],
        ['the same again right after', String(retries), share(retries)],
        ['for which there was a tool', String(wrongTool), share(wrongTool)],
      ],
    ),
    `In vain: about ${wastedTokens} of ${waste.outputTokens} tokens of output, and ${wastedMinutes.toFixed(1)} minutes.`,
    '',
    formatTable(['PROGRAM', 'RUNS', 'FAILED', 'SHARE', 'WRONG TOOL'], rows, { columns }),
  ].join('\n')
}

/** Counts for each imported file; for many files only the sum. */
export const importText = (files: ImportView['files'], columns?: number): string => {
  const sum = (key: 'commands' | 'taken' | 'known' | 'refused' | 'secrets'): number =>
    files.reduce((total, file) => total + file[key], 0)
  const rows = files.map(({ path, kind, commands, taken, known }) => [
    shownPath(path),
    kind,
    ...[commands, taken, known].map(String),
  ])
  const refused =
    sum('refused') === 0 ? '' : ` ${counted(sum('refused'), 'command')} left out: there nothing is to be remembered.`
  const secrets = sum('secrets') === 0 ? '' : ` ${counted(sum('secrets'), 'secret')} taken out.`
  return joinLines(
    files.length <= filesShown && formatTable(['HISTORY', 'KIND', 'COMMANDS', 'NEW', 'KNOWN'], rows, { columns }),
    `${counted(sum('taken'), 'new command')} of ${sum('commands')} from ${counted(files.length, 'file')}.${refused}${secrets}`,
  )
}
