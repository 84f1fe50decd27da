import { readdirSync, readlinkSync } from 'node:fs'
import { isSameProcess, processStartTime, readAncestors } from '../../src/base/util/process.ts'
import { readProc } from '../campaign/strikes.ts'

export interface Found {
  pid: number
  startTime: string
  command: string
  /** Whose environment it has. */
  agent: string | null
  /** It is an agent CLI, not something that one has started. */
  isCli: boolean
}

/** Whatever was started for a Rein under this directory, and still runs. */
export const processesUnder = (root: string, standIn: string): Found[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => look(Number(name), root, standIn))

const look = (pid: number, root: string, standIn: string): Found[] => {
  const variables = readProc(`${pid}/environ`).split('\0')
  if (!variables.some((one) => /^REIN_(HOME|SOCKET)=/.test(one) && one.includes(`=${root}/`))) return []
  const startTime = processStartTime(pid)
  const command = readProc(`${pid}/cmdline`).split('\0')
  const agent = variables.find((one) => one.startsWith('REIN_AGENT='))?.slice('REIN_AGENT='.length) ?? null
  const isCli = command[1] === standIn || programOf(pid).endsWith('/claude.exe')
  return startTime === null ? [] : [{ pid, startTime, command: command.join(' ').trim(), agent, isCli }]
}

const programOf = (pid: number): string => {
  try {
    return readlinkSync(`/proc/${pid}/exe`)
  } catch {
    return ''
  }
}

/** Agents that run more than once, each as its processes; what an agent has started itself is part of it. */
export const doublesAmong = (found: readonly Found[]): Found[][] => {
  const clis = found.filter(({ agent, isCli }) => agent !== null && isCli)
  return (
    [...new Set(clis.map(({ agent }) => agent))]
      .map((agent) => topmost(clis.filter((one) => one.agent === agent)))
      .filter((group) => group.length > 1)
      // One may have ended before the other one was looked at.
      .filter((group) => group.every(({ pid, startTime }) => isSameProcess(pid, startTime)))
  )
}

const topmost = (group: readonly Found[]): Found[] => {
  const pids = new Set(group.map(({ pid }) => pid))
  return group.filter(({ pid }) => ![...readAncestors(pid)].some((one) => one.pid !== pid && pids.has(one.pid)))
}
