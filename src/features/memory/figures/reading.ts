import { person } from '../../../contract/outcome.ts'
import type { FileTools } from '../../../drivers/contract.ts'
import { readLine } from '../../../base/shell/line.ts'
import { wrongTool } from '../advise/wrong-tool.ts'

/** What the figures want to know of a command line. */
export interface Reading {
  /** Normalised. */
  text: string
  /** With its subcommand: `git commit`. */
  program: string
  /** Null if it is not known which tools there were. */
  isWrongTool: boolean | null
}

/** The file tools of a driver's agents; `which` is one of them, or their version. Null if nobody knows. */
export type ToolsOf = (author: string, which: string | null) => FileTools | null

/** So many lines are remembered, and at most once as many again. */
const capacity = 16_384

/** Reads each line once as long as it keeps coming back. */
export class CommandReader {
  readonly #toolsOf: ToolsOf
  readonly #toolsets = new Map<string, Toolset>()
  #fresh = new Map<string, Reading>()
  #old = new Map<string, Reading>()

  constructor(toolsOf: ToolsOf) {
    this.#toolsOf = toolsOf
  }

  read(author: string, which: string | null, command: string): Reading {
    const toolset = this.#toolset(author, which)
    const key = `${toolset.key}\0${command}`
    const known = this.#fresh.get(key)
    if (known !== undefined) return known
    const reading = this.#old.get(key) ?? look(toolset.tools, command)
    if (this.#fresh.size >= capacity) {
      this.#old = this.#fresh
      this.#fresh = new Map()
    }
    this.#fresh.set(key, reading)
    return reading
  }

  #toolset(author: string, which: string | null): Toolset {
    const key = `${author}\0${which}`
    const known = this.#toolsets.get(key)
    if (known !== undefined) return known
    const tools = author === person ? null : this.#toolsOf(author, which)
    const toolset = { tools, key: JSON.stringify(tools) }
    this.#toolsets.set(key, toolset)
    return toolset
  }
}

/** The same key for the same tools: most agents have the same. */
interface Toolset {
  tools: FileTools | null
  key: string
}

const look = (tools: FileTools | null, command: string): Reading => {
  const { text, stub } = readLine(command)
  return { text, program: stub, isWrongTool: tools === null ? null : wrongTool(command, tools) !== null }
}
