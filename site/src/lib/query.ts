// The query of an address as its reader asked for it.

/** Without the name of the action that a form was sent to (`?/many`): the page that answers a form has it in its address. */
export const askedIn = (search: string | URLSearchParams): URLSearchParams =>
  new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => !name.startsWith('/')))
