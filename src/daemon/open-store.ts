import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { RepairView } from '../contract/outputs/repair.ts'
import { ReinError } from '../contract/errors.ts'
import { isAtLeast } from '../drivers/version.ts'
import { isDamage } from '../base/store/failure.ts'
import { walState } from '../base/store/pages.ts'
import { version } from '../base/util/version.ts'
import { checkedAtStart } from './check-store.ts'
import { type OpenLog, openLog } from './open-log.ts'
import { repairBySelf } from './repair-store.ts'
import {
  finishRepair,
  presence,
  readMarker,
  requirePresent,
  type StoreFiles,
  sizeOf,
  writeMarker,
} from './store-files.ts'

interface OpenStore extends OpenLog {
  /** Problems of the database, as sentences for people. */
  damage: string[]
}

/** Opens the database; one with damaged pages is repaired first, if that is a matter of seconds. */
export const openStore = async (files: StoreFiles): Promise<OpenStore> => {
  finishRepair(files)
  requirePresent(files)
  const damage = walFaults(files)
  const opened = await openOrRepair(files, damage)
  damage.push(...findingLines(opened.findings))
  const newest = readMarker(files)?.version ?? version
  writeMarker(files, { version: isAtLeast(version, newest) ? version : newest, isOpen: true, isSuspect: false })
  return { ...opened, damage }
}

/** Before the database is closed: if closing it is cut off, its log is there, and nothing is said to be missing. */
export const markClosed = (files: StoreFiles): void => {
  const marker = readMarker(files)
  try {
    if (marker !== null) writeMarker(files, { ...marker, isOpen: false })
  } catch {
    // On a full disk it says that it is open: then a log is looked for, and is there.
    return
  }
}

/** The next start looks at all of it. */
export const markSuspect = (files: StoreFiles): void => {
  const marker = readMarker(files)
  if (marker !== null && !marker.isSuspect) writeMarker(files, { ...marker, isSuspect: true })
}

/** A longer log than this is not looked through: it is as long as that only where nothing could be given back. */
const mostLooked = 128 * 1024 * 1024

/** SQLite takes a log that it cannot read for none. It is kept, because the next commit begins a new one. */
const walFaults = (files: StoreFiles): string[] => {
  const wal = `${files.database}-wal`
  if (presence(files) !== 'present' || sizeOf(wal) > mostLooked) return []
  const state = walState(files.database)
  const doubt = 'What was accepted last may be lost.'
  if (state === 'damaged')
    return [`The log beside the database could not be read to its end; it is in ${keepWal(files)}. ${doubt}`]
  if (state === 'absent' && readMarker(files)?.isOpen === true && !existsSync(wal))
    return [`The log beside the database (${wal}) is missing. ${doubt}`]
  return []
}

const keepWal = ({ database, damaged }: StoreFiles): string => {
  const kept = path.join(damaged, `${new Date().toISOString().replaceAll(':', '-')}-wal`)
  mkdirSync(damaged, { recursive: true, mode: 0o700 })
  copyFileSync(`${database}-wal`, kept)
  return kept
}

const openOrRepair = async (files: StoreFiles, damage: string[]): Promise<OpenLog> => {
  const marker = readMarker(files)
  const start = {
    path: files.database,
    isOurs: marker === null || isAtLeast(version, marker.version),
    isSuspect: marker?.isSuspect ?? false,
    isNew: marker === null,
  }
  try {
    return await openLog(start)
  } catch (cause) {
    if (!isDamage(cause)) throw cause
    if (sizeOf(files.database) > checkedAtStart)
      throw new ReinError(
        'storage_damaged',
        (cause as Error).message,
        'Repair it, which takes a while: rein daemon repair',
      )
    damage.push(repairedLine(repairBySelf(files)))
    return openLog({ ...start, isSuspect: true, isNew: false })
  }
}

const repairedLine = ({ faults, topics, records, kept }: RepairView): string => {
  const lost = records.filter(({ isLost }) => isLost)
  const recovered = topics.reduce((sum, topic) => sum + topic.recovered, 0)
  const fault = faults[0]?.replaceAll(/[\n*]+/g, ' ').trim()
  return (
    `The database was damaged${fault ? ` (${fault})` : ''} and was repaired at the start: ` +
    `${recovered} records came from the daily copy, ${lost.length} are lost${listOf(lost)}. The damaged one is in ${kept}.`
  )
}

const findingLines = ({ records, rebuilt }: OpenLog['findings']): string[] => [
  ...(records.length === 0
    ? []
    : [
        `${records.length === 1 ? 'One record cannot be read and is' : `${records.length} records cannot be read and are`} left out${listOf(records)}.`,
      ]),
  ...(rebuilt.length === 0
    ? []
    : [`State that could not be read was made again from the records (${rebuilt.join(', ')}).`]),
]

const mostListed = 10

const listOf = (records: readonly { seq: number; topic: string | null }[]): string => {
  if (records.length === 0) return ''
  const shown = records.slice(0, mostListed).map(({ seq, topic }) => `${seq} (${topic ?? 'unknown'})`)
  return `: ${shown.join(', ')}${records.length > mostListed ? ', …' : ''}`
}
