// Texts of the claim mails. They begin with our own words; the name of the app is quoted on a separate line.

interface Letter {
  subject: string
  body: string
}

export function codeMail(code: string, clientName: string, scope: string): Letter {
  return {
    subject: 'Code for your agent',
    body: `An app asks to sign in to Guildhall with your account.

Name: "${clientName}"
Requested access: ${scope}

If you started this, enter this code in the app:

${code}

The code is valid for 10 minutes. If you did not start this, ignore this mail and do not share the code.
`,
  }
}
