/** An agent that nobody ever prompts has what Rein gives it. */
import { describe, expect, test } from 'vitest'
import { freeTools } from '../../src/drivers/free-tools.ts'
import { skillNames } from '../../src/drivers/skills.ts'
import { startRein } from '../e2e/harness.ts'
import { idle } from '../e2e/terminal.ts'
import { claimsOf, firstWith } from './agent.ts'
import { chosen, programFor } from './chosen.ts'

describe.each(chosen)('$name', (cli) => {
  test('one that is only woken has tools, skills and instructions', async () => {
    const { skills, mcp } = await claimsOf(cli, 'tmux')
    const rein = await startRein({ cli, program: programFor(cli), scenario: '' })
    await rein.up(null, {}, { host: 'tmux' })
    await idle(rein)
    // A turn in the very moment of the start may come before any server is connected.
    const first = await rein.tell('Are you there?')
    await firstWith(rein, first.id)
    await idle(rein)
    const { id } = await rein.tell('What can you do?')
    const request = await firstWith(rein, id)
    const body = JSON.stringify(request.body)
    expect(freeTools.filter((tool) => !body.includes(tool))).toEqual(mcp ? [] : freeTools)
    expect(skillNames.filter((name) => !body.includes(name))).toEqual(skills ? [] : skillNames)
  })
})
