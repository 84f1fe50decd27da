import type { DoctorView } from '../contract/routes/daemon.ts'
import type { Base } from '../base/base.ts'
import type { DaemonParts } from './status.ts'
import { listCopies, listDamaged, sizeOf, storeFiles } from './store-files.ts'

type Check = DoctorView['checks'][number]

type Parts = Pick<DaemonParts, 'damage' | 'upkeep' | 'since'> & { base: Pick<Base, 'paths' | 'settings' | 'now'> }

const hourMs = 3_600_000
/** A copy is made when nothing happens, so it may be a while behind its day. */
const copyLateMs = 72 * hourMs

/** Whether the database is whole, whether there is a copy of it, and what it costs. */
export const databaseChecks = (parts: Parts): Check[] => {
  const files = storeFiles(parts.base.paths)
  const { damage } = parts
  const size = `${files.database} (${megabytes(sizeOf(files.database) + sizeOf(`${files.database}-wal`))})`
  const kept = listDamaged(files)
  return [
    damage.length === 0
      ? { name: 'database', ok: true, detail: size }
      : { name: 'database', ok: false, detail: `${size}: ${damage.join(' ')}`, hint: repairHint },
    copyCheck(parts, files),
    ...(kept.length === 0
      ? []
      : [{ name: 'damaged databases', ok: true, detail: `${kept.join(', ')}: delete them when nothing is missed.` }]),
  ]
}

const repairHint = 'rein daemon stop && rein daemon repair --dry-run'

const copyCheck = ({ base: { settings, now }, upkeep, since }: Parts, files: ReturnType<typeof storeFiles>): Check => {
  const name = 'database copy'
  if (settings['log.copies'] === 0) return { name, ok: true, detail: 'None is made: the setting log.copies is 0.' }
  const [newest] = listCopies(files)
  const detail = newest === undefined ? 'There is none yet.' : `${newest.file} (${megabytes(sizeOf(newest.file))})`
  if (upkeep.obstacle !== null) return { name, ok: false, detail: `${detail} ${upkeep.obstacle}`, hint: copyHint }
  const isLate = now() - Math.max(newest?.at ?? 0, since) > copyLateMs
  return isLate
    ? { name, ok: false, detail: `${detail} No newer one could be made.`, hint: 'rein daemon logs' }
    : { name, ok: true, detail }
}

const copyHint = 'Free some space, or repair the database: rein daemon stop && rein daemon repair'

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
