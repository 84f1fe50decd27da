import { realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ConversationCut, CutRequest } from '../contract.ts'
import { readSource, writeNew } from '../cut-files.ts'
import { cutLines } from './cut-lines.ts'
import { projectsOf, rootMarker } from './transcript.ts'
import { geminiDirectory } from './user-home.ts'

export const cut: ConversationCut = async (request) => {
  const { newConversation: conversation } = request
  const { lines: source, mode } = await readSource(request.transcript)
  const { lines, damaged } = cutLines(source, request.after, conversation)
  const name = `session-cut-${conversation.slice(0, 8)}.jsonl`
  const transcript = join(await projectFor(request, mode), 'chats', name)
  await writeNew(transcript, lines, mode)
  return { conversation, transcript, damaged }
}

/** Where the CLI keeps this directory's conversations; it takes up what was prepared for it there. */
const projectFor = async ({ cwd, env, newConversation }: CutRequest, mode: number): Promise<string> => {
  const [known] = projectsOf(cwd, env)
  if (known !== undefined) return known
  const project = join(geminiDirectory(env), 'tmp', `${basename(cwd)}-${newConversation.slice(0, 8)}`)
  await writeNew(join(project, rootMarker), [await realpath(cwd)], mode)
  return project
}
