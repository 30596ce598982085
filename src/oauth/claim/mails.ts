// What the mails of the claim flow say.

interface Letter {
  subject: string
  body: string
}

export function codeMail(code: string, clientName: string, scope: string): Letter {
  return {
    subject: 'Code for your agent',
    body: `${clientName} asks to sign in to Guildhall as you, for: ${scope}\n\nIf you started this, give it this code:\n\n${code}\n\nIt is good for 10 minutes. If you did not ask for it, do nothing and tell it to nobody.\n`,
  }
}

interface WaysIn {
  hasPassword: boolean
  passkeys: number
  sessions: number
  /** What is signed in by OAuth, this one too. */
  clients: readonly string[]
  baseUrl: string
}

/** For whoever opened the mailbox: the account was there before anybody showed that it is theirs. */
export function noticeMail({ hasPassword, passkeys, sessions, clients, baseUrl }: WaysIn): Letter {
  const ways = [
    ...(hasPassword ? ['a password'] : []),
    ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`] : []),
    ...(sessions > 0 ? [`${sessions} open ${sessions === 1 ? 'session' : 'sessions'} in a browser`] : []),
    ...clients.map((client) => `the app ${client}`),
  ]
  return {
    subject: 'What can sign in to your account',
    body: `You just showed that this address is yours. These can sign in to its account at ${baseUrl}:\n\n${ways.map((way) => `- ${way}`).join('\n')}\n\nIf one of them is not yours, sign in at ${baseUrl} and end it.\n`,
  }
}
