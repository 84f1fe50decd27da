import { existsSync } from 'node:fs'
import { ReinError } from '../../contract/errors.ts'
import { parseObject } from '../../base/util/json.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { daemonLog } from './daemon-log.ts'
import { formatTime, printable } from '../format.ts'
import { followFile, lastLines } from './log-file.ts'
import type { Style } from '../output.ts'

const usualLines = 50

export const run = async (
  context: CliContext,
  flags: { limit?: number; follow?: boolean } & JsonFlag,
): Promise<void> => {
  const { out, now } = context
  const show = (line: string): void => out.line(flags.json ? line : entryText(line, now(), out.style))
  const file = await daemonLog(context)
  if (!existsSync(file)) throw new ReinError('not_found', `There is no log yet: ${file} does not exist.`)
  const { lines, end } = lastLines(file, flags.limit ?? usualLines)
  lines.forEach(show)
  if (flags.follow) followFile(file, end, show)
}

const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** An entry as people read it; a line that is none is shown as it is. */
export const entryText = (line: string, now: number, style: Style): string => {
  const entry = parseObject(line)
  if (entry === null) return printable(line)
  const { time, level, msg, pid: _pid, hostname: _hostname, ...fields } = entry
  const name = levels[Number(level)] ?? asText(level)
  const details = Object.entries(fields).map(([key, value]) => `${key}=${asText(value)}`)
  const paint = name === 'error' || name === 'fatal' ? style.red : name === 'warn' ? style.yellow : style.dim
  const said = printable([asText(msg), ...details].join(' ')).trim()
  return `${style.dim(typeof time === 'number' ? formatTime(time, now) : asText(time))} ${paint(name.padEnd(5))} ${said}`
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
