// What the mails of the claim flow say. They begin with our own words; what an app calls itself is quoted, on a line of its own.

interface Letter {
  subject: string
  body: string
}

export function codeMail(code: string, clientName: string, scope: string): Letter {
  return {
    subject: 'Code for your agent',
    body: `An app asks to sign in to Guildhall with your account.

It calls itself: "${clientName}"
It asks for: ${scope}

If you started this, give it this code:

${code}

The code is good for 10 minutes. If you did not start this, do nothing and tell the code to nobody.
`,
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

/** For the owner of the mailbox: the account was there before the address was verified. */
export function noticeMail({ hasPassword, passkeys, sessions, clients, baseUrl }: WaysIn): Letter {
  const ways = [
    ...(hasPassword ? ['a password'] : []),
    ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`] : []),
    ...(sessions > 0 ? [`${sessions} open ${sessions === 1 ? 'session' : 'sessions'} in a browser`] : []),
    ...clients.map((client) => `an app that calls itself "${client}"`),
  ]
  return {
    subject: 'What can sign in to your account',
    body: `You just showed that this address is yours. These can sign in to its account at ${baseUrl}:\n\n${ways.map((way) => `- ${way}`).join('\n')}\n\nIf one of them is not yours, sign in at ${baseUrl} and end it.\n`,
  }
}
