import type { WasteView } from '../../../contract/outputs/memory.ts'
import { findDriver } from '../../../drivers/registry.ts'
import { measureTranscript } from './meter.ts'
import { transcriptsIn } from './transcripts.ts'
import { type WasteProgress, wasteOf } from './waste.ts'

/** What commands cost in vain in these transcripts, and in all below these directories. */
export const wasteIn = (paths: readonly string[], onProgress: (progress: WasteProgress) => void): Promise<WasteView> =>
  wasteOf(
    transcriptsIn(paths, (path) => measureTranscript(path, findDriver)),
    (author, version) => (version === null ? null : findDriver(author).fileTools(version)),
    onProgress,
  )
