import type { AgentView } from '../../../contract/routes/agents.ts'
import { agentTable, placeOf } from '../../agents/text.ts'
import { fit } from '../../cells.ts'
import type { CliContext } from '../../context.ts'
import { createStyle } from '../../output.ts'
import { Screen } from '../terminal/screen.ts'
import { isTerminal, untilAskedToEnd } from '../terminal/terminal.ts'

const tickMs = 1_000
const plain = createStyle(false)

/** `rein ps --watch`: in place on a terminal, else one table, or one line of JSON, for each change. */
export const watchTable = async (
  context: CliContext,
  { all, json }: { all?: boolean; json?: boolean },
): Promise<void> => {
  const { connect, out, now, env } = context
  const changes = connect().watch({ all }, untilAskedToEnd())
  if (!json && isTerminal(env)) {
    const screen = new Screen(process.stdout)
    let shown: AgentView[] | null = null
    const draw = (): void => {
      if (shown === null) return
      const { columns, rows } = process.stdout
      const lines = agentTable(shown, now(), { style: plain, cwd: context.cwd() }).split('\n')
      const seen = lines.length <= rows ? lines : [...lines.slice(0, rows - 1), `… ${lines.length - rows + 1} more`]
      screen.draw(seen.map((line) => fit(line, columns)))
    }
    const redraw = (): void => {
      screen.clear()
      draw()
    }
    const ticking = setInterval(draw, tickMs)
    process.stdout.on('resize', redraw)
    try {
      for await (const { agents } of changes) {
        if (shown === null) screen.open()
        shown = agents
        draw()
      }
    } finally {
      clearInterval(ticking)
      process.stdout.off('resize', redraw)
      screen.close()
      // The last table stays on the ordinary screen.
      if (shown !== null) out.line(agentTable(shown, now(), placeOf(context)))
    }
    return
  }
  let isFirst = true
  for await (const { agents } of changes) {
    if (json) out.record(agents)
    else out.line(`${isFirst ? '' : '\n'}${agentTable(agents, now(), placeOf(context))}`)
    isFirst = false
  }
}
