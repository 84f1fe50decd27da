import { readFileSync } from 'node:fs'
import { parseObject } from '../util/ndjson.ts'

/** What a daemon says about itself in a file that only its user can write. */
export interface Registration {
  id: string
  pid: number
  startTime: string
}

export const readRegistration = (file: string): Registration | null => {
  const value = parseObject(readText(file))
  if (value === null) return null
  const { id, pid, startTime } = value
  if (typeof id !== 'string' || typeof pid !== 'number' || typeof startTime !== 'string') return null
  return { id, pid, startTime }
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
