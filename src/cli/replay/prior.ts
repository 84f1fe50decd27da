import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { ReinError } from '../../contract/errors.ts'
import { mapText } from './paths.ts'
import type { Recording } from './recording.ts'
import type { Stage } from './stage.ts'

/** The conversation up to the first turn that is played, in the scratch home and with the paths there; null if that is the first of all. */
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
  // A file that was read or written then is one of the scratch tree now.
  await writeFile(transcript, mapText(await readFile(transcript, 'utf8'), stage.paths))
  return conversation
}
