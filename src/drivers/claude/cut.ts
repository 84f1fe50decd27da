import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ConversationCut } from '../contract.ts'
import { readSource, refuseExisting, writeNew } from '../cut-files.ts'
import { cutLines, cutSubagent } from './cut-lines.ts'
import { configDirectory, locate } from './transcript.ts'

/** Where a conversation keeps data outside its transcript. */
interface Places {
  subagents: string
  backups: string
}

/**
 * Large results of tools stay beside the source: the conversation names their paths, and with another path it would be
 * another conversation.
 */
export const cut: ConversationCut = async (request) => {
  const { conversation: old, newConversation: conversation } = request
  const transcript = locate(conversation, await realpath(request.cwd), request.env)
  refuseExisting(transcript)
  const { lines, mode } = await readSource(request.transcript)
  const result = cutLines(lines, request.after, conversation)
  const from = placesOf(request.transcript, join(dirname(request.transcript), '../..'), old)
  const to = placesOf(transcript, configDirectory(request.env), conversation)
  try {
    for (const id of result.subagents) {
      const name = `agent-${id}.jsonl`
      if (!existsSync(join(from.subagents, name))) continue
      const source = await readSource(join(from.subagents, name))
      await writeNew(join(to.subagents, name), cutSubagent(source.lines, result.until, conversation), source.mode)
      await copyNew(join(from.subagents, `agent-${id}.meta.json`), join(to.subagents, `agent-${id}.meta.json`))
    }
    if (result.backups.length > 0) await mkdir(to.backups, { recursive: true, mode: 0o700 })
    for (const name of result.backups) await copyNew(join(from.backups, name), join(to.backups, name))
    await writeNew(transcript, result.lines, mode)
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

/** The CLI tidies up its files by their age: what is gone already the source lacks, too. */
const copyNew = async (from: string, to: string): Promise<void> => {
  if (existsSync(from)) await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
}
