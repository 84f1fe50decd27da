import { constants } from 'node:fs'
import { copyFile, mkdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ConversationCut } from '../contract.ts'
import { refuseExisting, writeNew } from '../new-file.ts'
import { type CutLines, cutLines, cutSubagent } from './cut-lines.ts'
import { configDirectory, locate } from './transcript.ts'

/** Where a conversation keeps what does not stand in its transcript. */
interface Places {
  subagents: string
  backups: string
}

/**
 * Large results of tools stay beside the source: the conversation names their paths, and with another path it would be
 * another conversation.
 */
export const cut: ConversationCut = async (request) => {
  const { conversation: old, newConversation: conversation, transcript: source } = request
  const transcript = locate(conversation, await realpath(request.cwd), request.env)
  refuseExisting(transcript)
  const result = cutLines(await linesIn(source), request.after, conversation)
  const from = placesOf(source, join(dirname(source), '../..'), old)
  const to = placesOf(transcript, configDirectory(request.env), conversation)
  try {
    await copySubagents(result, from.subagents, to.subagents, conversation)
    await copyBackups(result, from.backups, to.backups)
    await writeNew(transcript, result.lines, (await stat(source)).mode)
  } catch (cause) {
    for (const place of [dirname(to.subagents), to.backups]) await rm(place, { recursive: true, force: true })
    throw cause
  }
  return { conversation, transcript, damaged: result.damaged }
}

const placesOf = (transcript: string, config: string, conversation: string): Places => ({
  subagents: join(dirname(transcript), conversation, 'subagents'),
  backups: join(config, 'file-history', conversation),
})

const linesIn = async (path: string): Promise<string[]> => (await readFile(path, 'utf8')).split('\n')

const copySubagents = async (
  { subagents, until }: CutLines,
  from: string,
  to: string,
  conversation: string,
): Promise<void> => {
  for (const id of subagents) {
    const lines = await unlessGone(linesIn(join(from, `agent-${id}.jsonl`)))
    if (lines === null) continue
    const { mode } = await stat(join(from, `agent-${id}.jsonl`))
    await writeNew(join(to, `agent-${id}.jsonl`), cutSubagent(lines, until, conversation), mode)
    await copyNew(join(from, `agent-${id}.meta.json`), join(to, `agent-${id}.meta.json`))
  }
}

const copyBackups = async ({ backups }: CutLines, from: string, to: string): Promise<void> => {
  if (backups.length > 0) await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of backups) await copyNew(join(from, name), join(to, name))
}

/** The CLI tidies up its files by their age: what is gone already the source lacks, too. */
const copyNew = async (from: string, to: string): Promise<void> => {
  await unlessGone(copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE))
}

const unlessGone = async <T>(reading: Promise<T>): Promise<T | null> => {
  try {
    return await reading
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
}
