import { z } from 'zod'
import type { Actor } from '../../contract/identity.ts'
import type { TellLeadInput } from '../../contract/routes/tasks.ts'
import type { PublishedView } from '../../contract/routes/team.ts'
import { leadMessages } from '../../contract/task.ts'
import { agentOnly, tool } from '../../mcp/tool.ts'

type TellLead = (actor: Actor, message: z.infer<typeof TellLeadInput>) => Promise<PublishedView>

export const taskTools = (tellLead: TellLead) => ({
  tell_lead: tool({
    description:
      'Tells the lead of your task that you are blocked, how far you are, or what is to be reviewed. A blocker wakes it.',
    input: z.object({ kind: z.enum(leadMessages), text: z.string().min(1).describe('what there is to know') }),
    isReadOnly: false,
    isFree: true,
    run: async (caller, message) => {
      const { id, recipients } = await tellLead(agentOnly(caller), { ...message, cwd: caller.cwd })
      return `${id} is published, for ${recipients.join(', ')}.`
    },
  }),
})
