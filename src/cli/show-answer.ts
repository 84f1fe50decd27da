import type { CliContext, JsonFlag } from './context.ts'

/** A handler that asks once and prints the answer: as JSON, or rendered as text. */
export const showAnswer =
  <Answer, Flags, Args extends readonly unknown[]>(
    ask: (context: CliContext, flags: Flags, ...args: Args) => Promise<Answer>,
    render: (answer: Answer, context: CliContext, flags: Flags) => string,
  ) =>
  async (context: CliContext, flags: Flags & JsonFlag, ...args: Args): Promise<void> => {
    const answer = await ask(context, flags, ...args)
    if (flags.json) context.out.document(answer)
    else context.out.line(render(answer, context, flags))
  }
