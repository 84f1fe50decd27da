import type { Deployment, SetupContext } from '../contract.ts'

export const deployment = (_: SetupContext): Deployment[] => []
