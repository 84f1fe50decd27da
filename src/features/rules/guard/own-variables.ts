/** Where a line that an agent runs finds things of Rein's own: what its environment says of them. */
export const ownVariables = ({
  guards,
  socket,
  spool,
}: {
  guards: string
  socket: string
  spool: string
}): Record<string, string> => ({ REIN_GUARDS: guards, REIN_SOCKET: socket, REIN_SPOOL: spool })
