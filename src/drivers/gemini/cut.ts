import { realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ConversationCut } from '../contract.ts'
import { readSource, writeNew } from '../cut-files.ts'
import { cutLines } from './cut-lines.ts'
import { findProjects, rootMarker } from './transcript.ts'
import { geminiDirectory } from './user-home.ts'

export const cut: ConversationCut = async (request) => {
  const { newConversation: conversation } = request
  const { lines: source, mode } = await readSource(request.transcript)
  const { lines, damaged } = cutLines(source, request.after, conversation)
  const name = `session-cut-${conversation.slice(0, 8)}.jsonl`
  const [known] = findProjects(request.cwd, request.env)
  const named = `${basename(request.cwd)}-${conversation.slice(0, 8)}`
  const project = known ?? join(geminiDirectory(request.env), 'tmp', named)
  // The CLI uses a project directory that was prepared for it.
  if (known === undefined) await writeNew(join(project, rootMarker), [await realpath(request.cwd)], mode)
  const transcript = join(project, 'chats', name)
  await writeNew(transcript, lines, mode)
  return { conversation, transcript, damaged }
}
