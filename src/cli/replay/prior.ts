import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { ReinError } from '../../contract/errors.ts'
import { mapText } from './paths.ts'
import type { Recording } from './recording.ts'
import type { Stage } from './stage.ts'

/** Copies the conversation up to the first played turn into the scratch home, with its paths; null if that turn is the first of all. */
export const bringPrior = async (recording: Recording, stage: Stage): Promise<string | null> => {
  const { prior, cli, program, version } = recording
  if (prior === null) return null
  if (cli.cut === null || prior.transcript === null)
    throw new ReinError('refused', `A session of ${cli.title} can only be replayed from its first turn on.`)
  const { conversation, transcript } = await cli.cut({
    conversation: prior.conversation,
    transcript: prior.transcript,
    after: prior.last,
    newConversation: randomUUID(),
    cwd: stage.cwd,
    env: stage.env,
    installed: { path: program ?? cli.program, version },
  })
  // Files of the recording are now in the scratch tree.
  await writeFile(transcript, mapText(await readFile(transcript, 'utf8'), stage.paths))
  return conversation
}
