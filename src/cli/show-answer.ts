import type { CliContext, JsonFlag } from './context.ts'

/** A handler that asks once and prints the answer: as JSON, or rendered as text. A failed answer makes the exit code 1. */
export const showAnswer =
  <Answer, Flags, Args extends readonly unknown[]>(
    ask: (context: CliContext, flags: Flags, ...args: Args) => Promise<Answer>,
    render: (answer: Answer, context: CliContext, flags: Flags) => string,
    isFailed: (answer: Answer) => boolean = () => false,
  ) =>
  async (context: CliContext, flags: Flags & JsonFlag, ...args: Args): Promise<void> => {
    const answer = await ask(context, flags, ...args)
    if (flags.json) context.out.document(answer)
    else context.out.line(render(answer, context, flags))
    if (isFailed(answer)) context.exitWith(1)
  }
