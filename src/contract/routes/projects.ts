import { z } from 'zod'
import { route, type Routes } from './route.ts'

export const ProjectView = z.object({
  project: z.string(),
  places: z
    .array(z.string())
    .describe('the directories where it is: the tops of its repositories, else where its agents work'),
  agents: z.number().describe('how many of its agents run, or should'),
})
export const ProjectsOutput = z.array(ProjectView)

export type ProjectPlaces = z.infer<typeof ProjectView>

export const projectRoutes = {
  projects: route({
    method: 'GET',
    path: '/v1/projects',
    output: ProjectsOutput,
    scope: 'read',
    help: 'Lists the projects that are somewhere on this machine, or have agents.',
  }),
} satisfies Routes
