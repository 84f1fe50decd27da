import { ReinError } from '../../contract/errors.ts'
import type { Policy, PolicyAnswer } from '../../contract/policy.ts'

const answers: readonly PolicyAnswer[] = ['ask', 'approve', 'deny']
const name = /^[^\s=,*]+\*?$/

/** `approve`, `Bash=deny`, `mcp__github__*=ask`: an answer for all the rest, or for one name; the last one for a name counts. */
export const parsePolicy = (parts: readonly string[]): Policy => {
  const policy: Policy = { otherwise: 'ask', tools: {} }
  for (const part of parts.flatMap((text) => text.split(',')).map((text) => text.trim())) {
    const at = part.lastIndexOf('=')
    const [tool, given] = at < 0 ? ['*', part] : [part.slice(0, at).trim(), part.slice(at + 1).trim()]
    const answer = answers.find((one) => one === given)
    if (answer === undefined) throw wrong(`"${given}" is none of ${answers.join(', ')}`, part)
    if (tool === '*') policy.otherwise = answer
    else if (name.test(tool)) policy.tools = { ...policy.tools, [tool]: answer }
    else throw wrong(`"${tool}" is no name of a tool`, part)
  }
  return policy
}

const wrong = (what: string, part: string): ReinError =>
  new ReinError(
    'usage',
    `A policy is ask, approve or deny, or TOOL=ask|approve|deny; in "${part}", ${what}.`,
    'Like: --policy deny --policy Read=approve --policy "mcp__github__*=ask" --policy plan=approve',
  )
