/** The most agents of one task. */
export const mostAgents = 50
