import { person } from '../../../contract/outcome.ts'
import type { FileTools } from '../../../drivers/contract.ts'
import { readLine } from '../../../base/shell/line.ts'
import { BoundedMap } from '../../../base/util/bounded-map.ts'
import { wrongTool } from '../advise/wrong-tool.ts'

/** A command line as the figures need it. */
interface Reading {
  /** Normalised. */
  text: string
  /** With its subcommand: `git commit`. */
  program: string
  /** Null if the tools are unknown. */
  isWrongTool: boolean | null
}

/** The file tools of a driver's agents; `which` is one of them, or their version. Null if unknown. */
export type ToolsOf = (author: string, which: string | null) => FileTools | null

const mostReadings = 16_384

/** Reads each line once as long as it keeps coming back. */
export class CommandReader {
  readonly #toolsOf: ToolsOf
  readonly #toolsets = new Map<string, { tools: FileTools | null; key: string }>()
  readonly #readings = new BoundedMap<string, Reading>(mostReadings)

  constructor(toolsOf: ToolsOf) {
    this.#toolsOf = toolsOf
  }

  read(author: string, which: string | null, command: string): Reading {
    let toolset = this.#toolsets.get(`${author}\0${which}`)
    if (toolset === undefined) {
      const tools = author === person ? null : this.#toolsOf(author, which)
      // The same key for the same tools: most agents have the same.
      toolset = { tools, key: JSON.stringify(tools) }
      this.#toolsets.set(`${author}\0${which}`, toolset)
    }
    const { tools } = toolset
    const key = `${toolset.key}\0${command}`
    let reading = this.#readings.get(key)
    if (reading === undefined) {
      const { text, stub } = readLine(command)
      reading = { text, program: stub, isWrongTool: tools === null ? null : wrongTool(command, tools) !== null }
    }
    this.#readings.set(key, reading)
    return reading
  }
}
