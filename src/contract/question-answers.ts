import type { HostKind, Question } from './agent.ts'

/** The dialog of a terminal that asks for a permission has no place for a reason; a held call has no dialog. */
export const takesReason = ({ kind, id }: Pick<Question, 'kind' | 'id'>, host: HostKind): boolean =>
  kind === 'plan' || (kind === 'permission' && (host === 'stream' || id.startsWith('held:')))

/** A dialog of the CLI itself takes nothing but its options; a question of the model takes any text. */
export const takesWords = ({ kind, id, options = [] }: Pick<Question, 'kind' | 'id' | 'options'>): boolean =>
  kind === 'question' && !(id.startsWith('screen:') && options.length > 0)
