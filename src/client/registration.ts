import { readFileSync } from 'node:fs'
import { parseObject, textOf } from '../base/util/json.ts'
import type { ReinPaths } from '../base/util/paths.ts'
import { isGone } from '../base/util/process.ts'

/** A daemon's entry in a file that only its user can write. */
export interface Registration {
  id: string
  pid: number
  startTime: string
  socket: string | null
  log: string | null
}

export const readRegistration = (file: string): Registration | null => {
  const value = parseObject(readText(file))
  if (value === null) return null
  const { id, pid, startTime } = value
  if (typeof id !== 'string' || typeof pid !== 'number' || typeof startTime !== 'string') return null
  return { id, pid, startTime, socket: textOf(value['socket']), log: textOf(value['log']) }
}

/** Where a living daemon listens, whatever runtime directory this shell has; else where one would. */
export const servingSocket = ({ registration, socket }: ReinPaths): string => {
  const known = readRegistration(registration)
  return known === null || isGone(known.pid, known.startTime) ? socket : (known.socket ?? socket)
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
