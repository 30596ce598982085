// The authorization server: clients, grants, tokens and signals; and acts of agents that wait for a person.
import type { Room } from './room.ts'

export const oauth: Room = {
  tables: {
    oauthClient: `
      "id" text not null primary key, "metadata" text not null, "createdAt" text not null, "lastUsedAt" text not null,
      "firstUsedAt" text
    `,
    secretClient: `
      "id" text primary key, "name" text not null, "method" text not null, "hash" text not null, "formerHash" text,
      "formerUntil" text, "createdAt" text not null, "secretAt" text not null, "lastUsedAt" text
    `,
    agent: `"clientId" text primary key, "name" text, "firstSeenAt" text not null, "seenAt" text not null`,
    grant: `
      "id" text not null constraint "signIn_pkey" primary key,
      "userId" text not null constraint "signIn_userId_fkey" references "user" ("id") on delete cascade, "clientId" text not null,
      "clientName" text, "sessionId" text, "scope" text not null, "createdAt" text not null, "lastUsedAt" text,
      "expiresAt" text not null, "bounds" text, "acr" text
    `,
    grantEvent: `
      "id" text primary key, "grantId" text not null, "userId" text not null references "user" ("id") on delete cascade,
      "clientId" text not null, "kind" text not null, "network" text not null, "device" text, "createdAt" text not null
    `,
    grantScopeUse: `
      "grantId" text not null references "grant" ("id") on delete cascade, "scope" text not null, "usedAt" text not null,
      primary key ("grantId", "scope")
    `,
    oauthToken: `
      "hash" text not null primary key, "kind" text not null,
      "grantId" text not null constraint "oauthToken_signInId_fkey" references "grant" ("id") on delete cascade,
      "userId" text not null, "clientId" text not null, "scope" text not null, "payload" text, "createdAt" text not null,
      "consumedAt" text, "response" text, "responseFor" text, "expiresAt" text not null, "keyThumbprint" text, "lastUsedAt" text
    `,
    claim: `
      "id" text not null primary key, "email" text not null, "clientId" text not null, "scope" text not null,
      "codeHash" text not null, "failures" integer not null default 0, "createdAt" text not null, "expiresAt" text not null,
      "usedAt" text
    `,
    endedGrant: `"grantId" text primary key, "expiresAt" text not null`,
    signal: `
      "id" text primary key, "userId" text not null references "user" ("id") on delete cascade, "createdAt" text not null,
      "givenUpAt" text
    `,
    signalStream: `
      "id" text primary key, "receiverId" text not null unique, "method" text not null, "endpointUrl" text, "authorization" text,
      "eventsRequested" text not null, "hearsRevocations" integer not null, "description" text, "status" text not null, "reason" text,
      "createdAt" text not null, "verifiedAt" text
    `,
    signalDelivery: `
      "id" text primary key, "streamId" text not null references "signalStream" ("id") on delete cascade,
      "userId" text references "user" ("id") on delete cascade, "state" text, "createdAt" text not null, "givenUpAt" text
    `,
    dpopProof: `"hash" text not null primary key, "expiresAt" text not null`,
    pushedRequest: `"hash" text not null primary key, "request" text not null, "expiresAt" text not null`,
    deviceCode: `
      "hash" text primary key, "codeHash" text not null unique, "clientId" text not null, "scope" text not null,
      "network" text not null, "device" text, "createdAt" text not null, "expiresAt" text not null,
      "intervalSeconds" integer not null, "polledAt" text, "decision" text,
      "grantId" text references "grant" ("id") on delete cascade, "consumedAt" text, "bounds" text, "maxAge" integer, "acrValues" text
    `,
    personalToken: `
      "id" text primary key references "grant" ("id") on delete cascade, "hash" text not null unique, "userId" text not null,
      "name" text not null, "scope" text not null, "createdAt" text not null, "lastUsedAt" text, "expiresAt" text not null
    `,
    workload: `
      "id" text not null primary key, "userId" text not null references "user" ("id") on delete cascade, "name" text not null,
      "issuer" text not null, "subject" text not null, "claims" text not null, "scope" text not null, "bounds" text,
      "createdAt" text not null, "lastUsedAt" text
    `,
    idTokenKey: `
      "sealedBy" text not null primary key, "kid" text not null, "publicKey" text not null, "sealed" text not null,
      "createdAt" text not null
    `,
    pendingAct: `
      "id" text primary key, "userId" text not null references "user" ("id") on delete cascade, "grantId" text not null,
      "clientId" text not null, "clientName" text, "operation" text not null, "scope" text not null, "state" text not null,
      "request" text not null, "preview" text not null, "answer" text, "reason" text, "createdAt" text not null,
      "expiresAt" text not null, "decidedAt" text, "title" text, "size" integer not null default 0, "itemId" text, "deciderId" text,
      "helpers" text
    `,
    pendingFile: `
      "id" text primary key, "actId" text not null references "pendingAct" ("id") on delete cascade, "userId" text not null,
      "field" text not null, "filename" text not null, "mimeType" text not null, "sha256" text not null, "size" integer not null
    `,
    suggestion: `
      "id" text primary key, "targetType" text not null, "targetId" text not null, "operation" text not null, "input" text not null,
      "reason" text not null, "confidence" integer not null, "state" text not null, "authorId" text not null references "user" ("id"),
      "viaClientId" text, "createdAt" text not null, "decidedById" text, "decidedAt" text, "decision" text
    `,
  },
  byKey: ['oauthToken'],
  indexes: {
    oauthClient: {
      oauthClient_lastUsed: '("lastUsedAt")',
      oauthClient_neverUsed: '("createdAt") where "firstUsedAt" is null',
    },
    agent: {
      agent_seen: '("seenAt", "clientId")',
    },
    grant: {
      grant_user: '("userId", "createdAt")',
      grant_client: '("clientId")',
      grant_expiry: '("expiresAt")',
    },
    grantEvent: {
      grantEvent_grant: '("grantId", "id")',
      grantEvent_user: '("userId", "kind", "id")',
      grantEvent_age: '("createdAt")',
    },
    oauthToken: {
      oauthToken_expiry: '("expiresAt")',
      oauthToken_answered: '("consumedAt") where "response" is not null',
      oauthToken_grant: '("grantId")',
    },
    claim: {
      claim_email: '("email", "createdAt")',
      claim_created: '("createdAt")',
    },
    endedGrant: {
      endedGrant_expiry: '("expiresAt")',
    },
    signal: {
      signal_waiting: '("createdAt", "id") where "givenUpAt" is null',
      signal_givenUp: '("givenUpAt") where "givenUpAt" is not null',
      signal_user: '("userId")',
    },
    signalDelivery: {
      signalDelivery_stream: '("streamId", "createdAt", "id")',
      signalDelivery_created: '("createdAt")',
      signalDelivery_user: '("userId") where "userId" is not null',
    },
    dpopProof: {
      dpopProof_expiry: '("expiresAt")',
    },
    pushedRequest: {
      pushedRequest_expiry: '("expiresAt")',
    },
    deviceCode: {
      deviceCode_expiry: '("expiresAt")',
      deviceCode_grant: '("grantId") where "grantId" is not null',
    },
    personalToken: {
      personalToken_user: '("userId", "id")',
    },
    workload: {
      workload_user: '("userId")',
    },
    pendingAct: {
      pendingAct_user: '("userId", "id")',
      pendingAct_grant: '("grantId", "id")',
      pendingAct_approved: `("id") where state = 'approved'`,
      pendingAct_age: '("expiresAt")',
      pendingAct_size: '("userId", "size")',
      pendingAct_item: '("itemId") where "itemId" is not null',
      pendingAct_decider: '("deciderId") where "deciderId" is not null',
    },
    pendingFile: {
      pendingFile_act: '("actId", "id")',
      pendingFile_user: '("userId", "id")',
    },
    suggestion: {
      suggestion_target: '("targetId", "state", "id")',
      suggestion_state: '("state", "id")',
      suggestion_author: '("authorId", "state", "id")',
      suggestion_decider: '("decidedById")',
    },
  },
}
