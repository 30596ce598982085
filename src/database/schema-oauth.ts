// Tables of the authorization server: clients, grants, tokens, and codes mailed to agents.
import type { Generated } from 'kysely'

/** Clients that registered themselves (RFC 7591). */
export interface OauthClientTable {
  id: string
  metadata: string
  createdAt: string
  /** To the day; a client that is not used for long is removed. */
  lastUsedAt: string
  /** When it got its first token; a client that never got one is removed sooner. */
  firstUsedAt: string | null
}

/** An agent that an account gave access: its name is kept for as long as something names it (content/via.ts). */
export interface AgentTable {
  clientId: string
  /** As it was at its last consent. */
  name: string | null
  firstSeenAt: string
  /** Of its last consent. */
  seenAt: string
}

/** A grant: one row for each consent or claim. Its tokens refer to it and are deleted with it. */
export interface GrantTable {
  id: string
  userId: string
  clientId: string
  /** The client's name as it was when the account let it in. */
  clientName: string | null
  /** The web session it was opened in; null for one by emailed code. Not a reference: it outlives the session. */
  sessionId: string | null
  scope: string
  createdAt: string
  /** When it last got a token; null until it got its first. */
  lastUsedAt: string | null
  /** When the last of its tokens expires. */
  expiresAt: string
  /** What it may do at most (contract/bounds.ts), as JSON; null where nothing is bound. */
  bounds: string | null
  /** How strong the sign-in was in which the account let it in (contract/sign-in-strength.ts); null where nothing can be said. */
  acr: string | null
}

/** What happened to a grant: it got tokens, or a copy of one was stopped. The newest of each stay, also when it has ended. */
export interface GrantEventTable {
  id: string
  grantId: string
  userId: string
  clientId: string
  kind: 'issued' | 'refreshed' | 'retried' | 'reused'
  /** Its origin: the network, and the browser or system from a fixed list of names. */
  network: string
  device: string | null
  createdAt: string
}

/** When a scope of a grant was used last, to the day. */
export interface GrantScopeUseTable {
  grantId: string
  scope: string
  usedAt: string
}

/** Codes, opaque access tokens and refresh tokens, by the SHA-256 of their value: the value itself is not stored. */
export interface OauthTokenTable {
  hash: string
  kind: 'code' | 'access' | 'refresh'
  grantId: string
  userId: string
  clientId: string
  scope: string
  /** The authorization server's data about a code or refresh token, as JSON; of an access token, who handed it on, if it was. */
  payload: string | null
  createdAt: string
  consumedAt: string | null
  /** The response to a used refresh token, sealed under the token itself; wiped after the retry window. */
  response: string | null
  /** Hash of the request that the response is for. */
  responseFor: string | null
  expiresAt: string
  /** The key an access token is bound to, by its thumbprint (RFC 9449, 6); null for a plain bearer token. */
  keyThumbprint: string | null
  /** Of one that was handed on, to the minute. */
  lastUsedAt: Generated<string | null>
}

/** That sessions of an account were revoked, for others to hear of (oauth/signals). */
export interface SignalTable {
  id: string
  userId: string
  createdAt: string
  givenUpAt: string | null
}

/** A stream of signals, as its receiver wants it (oauth/signals/streams.ts). */
export interface SignalStreamTable {
  id: string
  /** A resource server of the operator; each has one. */
  receiverId: string
  method: 'push' | 'poll'
  /** Where to, for a stream that is pushed. */
  endpointUrl: string | null
  /** The header that is sent there, sealed. */
  authorization: string | null
  /** A JSON list of the types of events. */
  eventsRequested: string
  /** Whether revocations are among them. */
  hearsRevocations: 0 | 1
  description: string | null
  status: 'enabled' | 'paused' | 'disabled'
  reason: string | null
  createdAt: string
  /** When the receiver last asked to be verified. */
  verifiedAt: string | null
}

/** What waits on a stream: a revocation of an account, or a verification, which has a state. */
export interface SignalDeliveryTable {
  /** The `jti`. */
  id: string
  streamId: string
  userId: string | null
  state: string | null
  createdAt: string
  givenUpAt: string | null
}

/** Grants that their accounts ended: a JWT of one is refused while it could still be good (oauth/jwt.ts). */
export interface EndedGrantTable {
  grantId: string
  expiresAt: string
}

/** Proofs of a key that were accepted, while they could be presented again (RFC 9449, 11.1). */
export interface DpopProofTable {
  hash: string
  expiresAt: string
}

/** Authorization requests that clients pushed (RFC 9126), by the SHA-256 of the reference they got. */
export interface PushedRequestTable {
  hash: string
  /** The parameters, as a query string. */
  request: string
  expiresAt: string
}

/** Device authorizations (RFC 8628), by the SHA-256 of the device code. */
export interface DeviceCodeTable {
  hash: string
  /** What a person types, hashed with a key. */
  codeHash: string
  clientId: string
  scope: string
  /** The origin of the request: the network, and the system from a fixed list of names. */
  network: string
  device: string | null
  createdAt: string
  expiresAt: string
  /** How long the client must wait between two polls; it grows when it does not. */
  intervalSeconds: number
  polledAt: string | null
  /** null until an account decided. */
  decision: 'allowed' | 'denied' | null
  /** Of the account that allowed it. */
  grantId: string | null
  consumedAt: string | null
  /** What the client asked to be bound by, as JSON. */
  bounds: string | null
  /** How many seconds ago the person may have signed in at most, and how strongly (RFC 9470, 4); null where the device does not ask. */
  maxAge: number | null
  acrValues: string | null
}

/** Personal access tokens, each beneath the grant of the same id, by a keyed hash of their value. */
export interface PersonalTokenTable {
  id: string
  hash: string
  userId: string
  name: string
  scope: string
  createdAt: string
  /** To the hour. */
  lastUsedAt: string | null
  expiresAt: string
}

/** Programs of members that are known by the ID tokens of an issuer that the operator allows: its id is that of its client, too. */
export interface WorkloadTable {
  id: string
  userId: string
  name: string
  issuer: string
  subject: string
  /** More claims that a token must have, as a JSON object of texts. */
  claims: string
  scope: string
  /** What each of its grants may do at most (contract/bounds.ts), as JSON; null where nothing is bound. */
  bounds: string | null
  createdAt: string
  /** When it last got a token. */
  lastUsedAt: string | null
}

/** RSA keys that sign ID tokens for clients that expect RS256. One for each signing key; the newest ones are published. */
export interface IdTokenKeyTable {
  /** Names the secret that the private key is sealed under: another signing key has another one. */
  sealedBy: string
  kid: string
  /** A public JWK, as JSON. */
  publicKey: string
  /** The private JWK, sealed. */
  sealed: string
  createdAt: string
}

/** Codes mailed to agents without a browser, hashed with a key. Unknown addresses get rows too, so the two are indistinguishable. */
export interface ClaimTable {
  id: string
  email: string
  clientId: string
  scope: string
  codeHash: string
  failures: number
  createdAt: string
  expiresAt: string
  usedAt: string | null
}

/** Apps with a secret, which admins register (oauth/secret-clients). Their secrets are kept as hashes with a key. */
export interface SecretClientTable {
  id: string
  name: string
  /** In which way it shows its secret; in the other it is refused. */
  method: 'client_secret_basic' | 'client_secret_post'
  hash: string
  /** The secret before this one, while it is still good. */
  formerHash: string | null
  formerUntil: string | null
  createdAt: string
  /** When its secret was made. */
  secretAt: string
  /** When it last authenticated, to the hour. */
  lastUsedAt: string | null
}

/** The tables of the authorization server. */
export interface OauthDatabase {
  oauthClient: OauthClientTable
  secretClient: SecretClientTable
  agent: AgentTable
  grant: GrantTable
  grantEvent: GrantEventTable
  grantScopeUse: GrantScopeUseTable
  oauthToken: OauthTokenTable
  claim: ClaimTable
  endedGrant: EndedGrantTable
  signal: SignalTable
  signalStream: SignalStreamTable
  signalDelivery: SignalDeliveryTable
  dpopProof: DpopProofTable
  pushedRequest: PushedRequestTable
  deviceCode: DeviceCodeTable
  personalToken: PersonalTokenTable
  workload: WorkloadTable
  idTokenKey: IdTokenKeyTable
}
