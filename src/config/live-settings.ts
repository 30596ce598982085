// The settings that may change while the server runs (`live`), each declared once, by what they are about.
import { z } from 'zod'
import { BUDGETS_EXPECTED, parseBudgets } from '../budgets/rules.ts'
import { AGENTS_EXPECTED, parseAgents } from '../contract/bounds.ts'
import { GITHUB_ISSUER, GITLAB_ISSUER } from '../contract/own-clients.ts'
import { partNames } from '../contract/parts.ts'
import { toolLists } from '../contract/prompt.ts'
import { parseTrust, TRUST_EXPECTED } from '../contract/trust.ts'
import { logLevels } from '../runtime/log.ts'
import { IMPORT_SCOPES_EXPECTED, parseImportScopes } from './import-scopes.ts'
import {
  about,
  absoluteUrl,
  contact,
  domains,
  issuers,
  namesOf,
  ON_OR_OFF,
  onOrOff,
  parsedBy,
  schemes,
  wholeNumber,
} from './values.ts'

const SIGN_UP = ['open', 'invited', 'closed'] as const
const SIGN_IN = ['any', 'external'] as const
const PROOFS = ['off', 'sign-up', 'unverified', 'new'] as const
const FINDINGS = ['off', 'suspicious', 'severe'] as const

export const mailSettings = {
  MAIL_FROM: z
    .string()
    .regex(/^([^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/, 'an address such as Guildhall <hello@guild.example>')
    .register(about, {
      default: '"{SITE_NAME}" <guildhall@{BASE_URL.hostname}>',
      missing: '`guildhall@` the host of `BASE_URL`',
      live: 'mail',
      description: 'the sender of mail',
    }),
  WEB_PUSH: onOrOff().register(about, {
    default: 'on',
    live: 'mail',
    input: 'choice',
    choices: ON_OR_OFF,
    description:
      'whether notifications are pushed to the [browsers of members](../content/docs/mail.md#notifications-in-the-browser): the server then calls the push services of these browsers, at public addresses',
  }),
  GUEST_DIGEST: onOrOff().register(about, {
    default: 'off',
    live: 'mail',
    input: 'choice',
    choices: ON_OR_OFF,
    description:
      'whether people without an account can have what is new [mailed once a day](../content/docs/mail.md#digests-for-guests), of the community or of an open board; on a private instance nothing is mailed',
  }),
}

export const signUpSettings = {
  SIGN_UP: z.enum(SIGN_UP, 'open, invited or closed').register(about, {
    default: 'open',
    live: 'sign-up',
    input: 'choice',
    choices: SIGN_UP,
    description:
      'who may make an account, by any way: everyone (`open`), those whom an admin invited by their address or by a link (`invited`), or no one (`closed`); addresses of `ADMIN_EMAILS` always may, with a mailed code',
  }),
  SIGN_UP_DOMAINS: domains.register(about, {
    default: '',
    missing: 'all',
    live: 'sign-up',
    input: 'list',
    description:
      'where sign-up is open: only proven addresses of these mail domains may make an account, and those who are invited, as in `example.com, example.org`',
  }),
  OIDC_ISSUER: absoluteUrl('an absolute URL without query and fragment').optional().register(about, {
    missing: 'none',
    live: 'external',
    description:
      'an OpenID Connect provider whose accounts sign in here; its `redirect_uri` is `BASE_URL/sign-in/external`. A private address is allowed, `http` on this machine only',
  }),
  OIDC_CLIENT_ID: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, '1 to 200 characters without spaces')
    .optional()
    .register(about, { live: 'external', description: 'the client that is registered there for this server' }),
  OIDC_CLIENT_SECRET: z
    .string()
    .regex(/^[\x20-\x7e]{1,500}$/, '1 to 500 characters')
    .optional()
    .register(about, {
      ...{ missing: 'a public client', live: 'external', description: 'its secret' },
      ...{ secret: true, sentTo: 'OIDC_ISSUER' },
    }),
  OIDC_NAME: z
    .string()
    .regex(/^[^\p{Cc}\p{Cf}]{1,40}$/u, 'a name of 1 to 40 characters')
    .register(about, {
      default: 'single sign-on',
      live: 'external',
      description: 'what the button calls the provider: "Sign in with ..."',
    }),
  OIDC_IMPORTS: parsedBy(parseImportScopes, IMPORT_SCOPES_EXPECTED).register(about, {
    default: '',
    missing: 'none',
    live: 'external',
    input: 'list',
    description:
      'the imports whose people are accounts at this provider, as in `gitlab` or `gitlab:acme/looms`: who signs in there can [take over](../content/docs/moving-in.md#people) what was imported of them',
  }),
  OIDC_ID_CLAIM: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, '1 to 200 characters without spaces')
    .register(about, {
      default: 'sub',
      live: 'external',
      description: 'the claim that has the id which these imports know people by; one that people cannot change',
    }),
  SIGN_IN: z.enum(SIGN_IN, 'any or external').register(about, {
    default: 'any',
    live: 'external',
    input: 'choice',
    choices: SIGN_IN,
    description:
      'how people sign in: in every way, or with the [external provider alone](../content/docs/sign-in.md#the-provider-alone)',
  }),
}

export const ruleSettings = {
  BUDGETS: parsedBy(parseBudgets, BUDGETS_EXPECTED).register(about, {
    default: '',
    missing: 'the table below',
    live: 'budgets',
    input: 'lines',
    description: 'changes to the budgets: `topics: 60/hour 400/day, 10/hour; bytes: 10GB, 100MB`',
  }),
  PUBLIC_DOWNLOADS: onOrOff().register(about, {
    default: 'on',
    live: 'access',
    input: 'choice',
    choices: ON_OR_OFF,
    description: 'whether everyone can download files of public items by their names; `off` asks for a credential',
  }),
  CI_ISSUERS: issuers().register(about, {
    default: `${GITHUB_ISSUER},${GITLAB_ISSUER}`,
    live: 'access',
    input: 'list',
    description:
      'whose ID tokens are taken for [trusted publishing](../content/docs/publishing.md), with commas between them; a private address is reached where `PRIVATE_SERVICES` names it. `off` takes none',
  }),
  WORKLOAD_ISSUERS: issuers().register(about, {
    default: 'off',
    live: 'access',
    input: 'list',
    description:
      'whose ID tokens let [programs](../content/docs/authentication.md#known-agents) of members in without a secret: a CI, a cloud, SPIFFE; with commas between them, as `CI_ISSUERS` has them. `off` takes none',
  }),
  ROLES_NEED_PASSKEY: onOrOff().register(about, {
    default: 'off',
    live: 'access',
    input: 'choice',
    choices: ON_OR_OFF,
    description:
      '`on`: what moderators and admins may do counts only in a [session with a passkey](../content/docs/sign-in.md#passkeys-for-roles)',
  }),
  MCP_TOOLS: z.enum(toolLists, 'short, all or two').register(about, {
    default: 'short',
    live: 'access',
    input: 'choice',
    choices: toolLists,
    description:
      'which tools of MCP are listed for a client that does not choose: those that are used most (`short`), every tool (`all`), or `two`, by which every operation is found and called; see [MCP](../content/docs/mcp.md)',
  }),
  MCP_SCRIPTS: onOrOff().register(about, {
    default: 'off',
    live: 'access',
    input: 'choice',
    choices: ON_OR_OFF,
    description:
      'whether agents with a token may send [scripts](../content/docs/mcp.md#scripts) that call operations with their rights, in a sandbox without input and output; then they are one of the `two` tools',
  }),
  OPERATOR_NAME: z.string().trim().min(1).max(200).optional().register(about, {
    missing: 'the privacy policy and the terms name only the address of the site',
    live: 'operator',
    description: 'who runs this server, as the privacy policy and the terms name them',
  }),
  OPERATOR_ADDRESS: z.string().trim().min(1).max(400).optional().register(about, {
    missing: 'none is shown',
    live: 'operator',
    description: 'the postal address of the operator, on one line',
  }),
  OPERATOR_CONTACT: contact.optional().register(about, {
    missing: 'none is shown',
    live: 'operator',
    description: 'where the operator is reached: an email address or an `https` URL',
  }),
  OPERATOR_LAW: z.string().trim().min(1).max(200).optional().register(about, {
    missing: 'the terms name none',
    live: 'operator',
    description: 'the law that applies, such as `the law of Germany`',
  }),
  SECURITY_CONTACT: contact.optional().register(about, {
    missing: 'there is no `security.txt`',
    live: 'operator',
    description:
      'where vulnerabilities are reported: an email address or an `https` URL, for `/.well-known/security.txt` (RFC 9116)',
  }),
  HOLD_LINKS_HOURS: wholeNumber(0, 8_760, 'a number of hours from 0 to 8760').register(about, {
    default: '0',
    live: 'moderation',
    input: 'number',
    description:
      'texts with links by accounts younger than this, or without a verified email, wait for a moderator; `0` turns this off',
  }),
  HOLD_FINDINGS: z.enum(FINDINGS).register(about, {
    default: 'off',
    live: 'moderation',
    input: 'choice',
    choices: FINDINGS,
    description:
      'publications wait for a moderator if the scan finds something at least this serious, or could not finish; `off` turns this off',
  }),
  PROOF_OF_WORK: z.enum(PROOFS, 'off, sign-up, unverified or new').register(about, {
    default: 'off',
    live: 'moderation',
    input: 'choice',
    choices: PROOFS,
    description:
      'whose browser or program computes something first, so that spam costs time: `sign-up` with a password; also the first things of accounts without a verified email (`unverified`), or of all new accounts (`new`); see [the handbook](../content/docs/operators.md)',
  }),
  PROOF_NUMBERS: wholeNumber(1_000, 10_000_000, 'a whole number from 1000 to 10000000').register(about, {
    default: '100000',
    live: 'moderation',
    input: 'number',
    description: 'how many numbers are tried for one such proof at most, by half of them on average',
  }),
  TRUST: parsedBy(parseTrust, TRUST_EXPECTED).register(about, {
    default: 'off',
    live: 'moderation',
    description:
      'whether accounts have levels of trust, from 0 to 4, that rule what waits for a moderator and how much they may write; `on` with changes by level, as in `on; 1: days 3, written 5; 0: held no, links 0, budgets 0.5`; see [the handbook](../content/docs/moderating.md)',
  }),
  MERGE_FLOODS: onOrOff().register(about, {
    default: 'off',
    live: 'moderation',
    input: 'choice',
    choices: ON_OR_OFF,
    description:
      'whether a bug that an agent reports is merged into an older open one that says the same; see [the handbook](../content/docs/moderating.md)',
  }),
  AGENTS: parsedBy(parseAgents, AGENTS_EXPECTED).register(about, {
    default: 'write',
    live: 'moderation',
    description:
      'what agents may do, that is callers with a token: `write`, only `suggest` for people to accept, or `off`; with exceptions by kind of act and for accounts without a verified email; with `trust: 2` agents of accounts below that level suggest at most, as in `suggest; comments: write; unverified: off`',
  }),
}

export const redirectSettings = {
  REDIRECT_SCHEMES: schemes.register(about, {
    default: '',
    missing: 'none',
    live: 'access',
    input: 'list',
    description:
      'schemes without a dot that apps may register to be returned to, beside those of well-known ones, as in `myapp, ourtool`',
  }),
}

export const partSettings = {
  PARTS_OFF: namesOf(partNames).register(about, {
    default: '',
    missing: 'none',
    live: 'parts',
    input: 'list',
    choices: partNames,
    description: `parts that are turned off, with commas between them: ${partNames.join(', ')}. Nothing of them is deleted; see [the handbook](../content/docs/operators.md)`,
  }),
}

export const logSettings = {
  LOG_LEVEL: z.enum(logLevels, `one of ${logLevels.join(', ')}`).register(about, {
    default: 'info',
    live: 'log',
    input: 'choice',
    choices: logLevels,
    description: '`debug` logs each request',
  }),
  REQUEST_LOG: onOrOff().register(about, {
    default: 'off',
    live: 'log',
    input: 'choice',
    choices: ON_OR_OFF,
    description: '`on` logs one line for each request: what, how long, for whom',
  }),
}
