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
