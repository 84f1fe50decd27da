import type { PostedView } from '../../../contract/routes/team.ts'
import { describeError } from '../../exit.ts'
import { type Chat, type Unsent, withPosted, withUnsent } from './model.ts'

/** What sending a message changes, for the chat as it is by then: what was heard meanwhile stays. */
export const afterSending = async (message: Unsent, post: Promise<PostedView>): Promise<(chat: Chat) => Chat> => {
  try {
    const posted = await post
    return (chat) => withPosted(chat, posted)
  } catch (cause) {
    return (chat) => withUnsent(chat, message, `Not sent: ${describeError(cause)}`)
  }
}
