import { readdirSync, readFileSync } from 'node:fs'

const read = (file: string): string => {
  try {
    return readFileSync(`/proc/${file}`, 'utf8')
  } catch {
    return ''
  }
}

const parentOf = (pid: string): string =>
  read(`${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')[1] ?? ''

/** What every user of the machine can see of a process and all that it started: their arguments. */
export const argumentsBelow = (top: number): string => {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const found = [String(top)]
  for (const pid of found) found.push(...pids.filter((one) => parentOf(one) === pid && !found.includes(one)))
  return found.map((pid) => read(`${pid}/cmdline`).replaceAll('\0', '\n')).join('\n')
}
