// Accounts, their ways to sign in, invitations, what a directory of others provides, and identities of the widget.
import type { Room } from './room.ts'

export const accounts: Room = {
  tables: {
    user: `
      "id" text not null primary key, "email" text not null unique, "emailVerifiedAt" text, "name" text, "username" text,
      "usernameKey" text unique, "role" text not null, "passwordHash" text, "blockedAt" text, "avatarUpdatedAt" text,
      "createdAt" text not null, "updatedAt" text not null, "emailVerifiedBy" text, "avatarSha256" text collate "default",
      "deletionAt" text, "language" text, "credentialsValidFrom" text, "externalGroups" text, "trust" integer not null default 0,
      "trustAt" text not null default ''
    `,
    profile: `
      "userId" text not null primary key references "user" ("id") on delete cascade, "tagline" text, "jobTitle" text, "company" text,
      "tags" text not null, "githubUrl" text, "twitterUrl" text, "linkedinUrl" text, "websiteUrl" text
    `,
    passkey: `
      "id" text not null primary key, "userId" text not null references "user" ("id") on delete cascade,
      "credentialId" text not null unique, "publicKey" text not null, "counter" bigint not null, "transports" text not null,
      "name" text not null, "createdAt" text not null, "lastUsedAt" text
    `,
    session: `
      "id" text not null primary key, "tokenHash" text not null unique,
      "userId" text not null references "user" ("id") on delete cascade, "createdAt" text not null, "expiresAt" text not null,
      "device" text collate "default", "seenAt" text, "authenticatedAt" text,
      "passkeyId" text references "passkey" ("id") on delete set null
    `,
    accountSweep: `
      "userId" text not null references "user" ("id") on delete cascade, "bit" integer not null, "isOn" integer not null,
      "place" text not null, "done" integer not null, "total" integer, "startedAt" text not null, "doneAt" text,
      primary key ("userId", "bit")
    `,
    knownBrowser: `
      "tokenHash" text not null, "userId" text not null references "user" ("id") on delete cascade, "createdAt" text not null,
      "seenAt" text not null, constraint "knownBrowser_key" primary key ("tokenHash", "userId")
    `,
    knownNetwork: `
      "networkHash" text not null, "userId" text not null references "user" ("id") on delete cascade, "seenAt" text not null,
      primary key ("networkHash", "userId")
    `,
    signUpInvitation: `"id" text primary key, "email" text not null unique, "createdAt" text not null, "expiresAt" text not null`,
    invitationLink: `
      "id" text primary key, "tokenHash" text not null unique, "role" text not null,
      "createdById" text not null references "user" ("id") on delete cascade, "createdAt" text not null, "expiresAt" text not null,
      "maxUses" integer not null, "uses" integer not null, "revokedAt" text
    `,
    invitationUse: `
      "linkId" text not null references "invitationLink" ("id") on delete cascade,
      "userId" text not null references "user" ("id") on delete cascade, "usedAt" text not null, primary key ("linkId", "userId")
    `,
    accountDeletion: `
      "userId" text not null primary key, "content" text not null, "requestedBy" text not null, "reason" text,
      "requestedAt" text not null, "eraseAt" text not null, "step" text, "leasedUntil" text not null
    `,
    dataExport: `
      "id" text not null primary key, "userId" text not null references "user" ("id") on delete cascade, "requestedAt" text not null,
      "readyAt" text, "failedAt" text, "expiresAt" text, "sha256" text, "size" bigint, "files" integer, "attempts" integer not null,
      "leasedUntil" text not null
    `,
    emailChange: `
      "id" text not null primary key, "userId" text not null references "user" ("id") on delete cascade, "oldEmail" text not null,
      "oldVerifiedAt" text not null, "oldVerifiedBy" text, "role" text not null, "tokenHash" text not null unique,
      "changedAt" text not null, "undoUntil" text not null
    `,
    emailCode: `
      "id" text not null primary key, "purpose" text not null, "email" text not null, "codeHash" text not null,
      "failures" integer not null default 0, "createdAt" text not null, "expiresAt" text not null, "usedAt" text, "ownerId" text,
      "requestHash" text, "othersTries" text
    `,
    passkeyChallenge: `
      "challengeHash" text not null primary key, "purpose" text not null, "userId" text references "user" ("id") on delete cascade,
      "expiresAt" text not null
    `,
    usedProof: `"hash" text not null primary key, "expiresAt" text not null`,
    feedKey: `
      "userId" text not null primary key references "user" ("id") on delete cascade, "hash" text not null unique,
      "createdAt" text not null
    `,
    chatLink: `
      "id" text not null primary key, "service" text not null, "workspace" text not null, "chatUser" text not null,
      "name" text not null, "userId" text not null references "user" ("id") on delete cascade, "createdAt" text not null,
      unique ("service", "workspace", "chatUser")
    `,
    externalIdentity: `
      "id" text primary key, "issuer" text not null, "subject" text not null,
      "userId" text not null references "user" ("id") on delete cascade, "email" text, "createdAt" text not null, "lastUsedAt" text,
      "sourceId" text, "username" text, "toldAt" text, unique ("issuer", "subject")
    `,
    pushSubscription: `
      "id" text not null primary key, "userId" text not null references "user" ("id") on delete cascade, "sessionId" text not null,
      "endpointHash" text not null unique, "sealed" text not null, "device" text, "createdAt" text not null, "deliveredAt" text,
      "failures" integer not null, "failingSince" text, "pausedUntil" text not null
    `,
    scimToken: `
      "id" text primary key, "hash" text not null unique, "name" text not null, "createdAt" text not null, "lastUsedAt" text
    `,
    scimUser: `
      "userId" text primary key references "user" ("id") on delete cascade, "externalId" text, "userName" text not null,
      "userNameKey" text not null unique, "attributes" text not null, "blockedAt" text, "isBlockedElse" integer not null,
      "givenRole" text, "ownRole" text, "givenBoards" text not null, "ownBoards" text not null, "createdAt" text not null,
      "updatedAt" text not null, "deletedAt" text
    `,
    scimGroup: `
      "id" text primary key, "externalId" text, "displayName" text not null, "displayNameKey" text not null unique,
      "gives" text not null, "createdAt" text not null, "updatedAt" text not null
    `,
    scimMember: `
      "groupId" text not null references "scimGroup" ("id") on delete cascade,
      "userId" text not null references "scimUser" ("userId") on delete cascade, primary key ("groupId", "userId")
    `,
    widgetKey: `"id" text primary key, "site" text not null, "secret" text not null, "createdAt" text not null, "lastUsedAt" text`,
    widgetIdentity: `
      "site" text not null, "subject" text not null, "userId" text not null unique references "user" ("id") on delete cascade,
      "createdAt" text not null, primary key ("site", "subject")
    `,
  },
  byKey: ['feedKey'],
  indexes: {
    user: {
      user_createdAt_id: '("createdAt", "id")',
      user_role_createdAt_id: '("role", "createdAt", "id")',
      user_blocked: '("createdAt", "id", "blockedAt") where "blockedAt" is not null',
      user_role_blocked: '("role", "createdAt", "id", "blockedAt") where "blockedAt" is not null',
      user_unblocked: '("createdAt", "id", "blockedAt") where "blockedAt" is null',
      user_role_unblocked: '("role", "createdAt", "id", "blockedAt") where "blockedAt" is null',
      user_members: '("createdAt", "id") where "usernameKey" is not null and "blockedAt" is null',
      user_trustAt: '("trustAt", "id")',
    },
    passkey: {
      passkey_user: '("userId", "createdAt", "id")',
    },
    session: {
      session_user: '("userId")',
      session_expiry: '("expiresAt")',
      session_passkey: '("passkeyId")',
    },
    accountSweep: {
      accountSweep_pending: '("startedAt", "userId") where "doneAt" is null',
    },
    knownBrowser: {
      knownBrowser_user: '("userId", "seenAt")',
      knownBrowser_seen: '("seenAt")',
    },
    knownNetwork: {
      knownNetwork_user: '("userId", "seenAt")',
      knownNetwork_seen: '("seenAt")',
    },
    signUpInvitation: {
      signUpInvitation_expiry: '("expiresAt")',
    },
    invitationLink: {
      invitationLink_expiry: '("expiresAt")',
      invitationLink_maker: '("createdById")',
    },
    invitationUse: {
      invitationUse_user: '("userId")',
    },
    accountDeletion: {
      accountDeletion_due: '("eraseAt")',
    },
    dataExport: {
      dataExport_user: '("userId", "id")',
      dataExport_waiting: '("id") where "readyAt" is null and "failedAt" is null',
      dataExport_sha256: '("sha256") where "sha256" is not null',
    },
    emailChange: {
      emailChange_oldEmail: '("oldEmail")',
      emailChange_user: '("userId")',
    },
    emailCode: {
      emailCode_email: '("email", "purpose", "id")',
      emailCode_expiry: '("expiresAt")',
      emailCode_owner: '("ownerId") where "ownerId" is not null',
    },
    passkeyChallenge: {
      passkeyChallenge_user: '("userId")',
      passkeyChallenge_expiry: '("expiresAt")',
    },
    usedProof: {
      usedProof_expiresAt: '("expiresAt")',
    },
    chatLink: {
      chatLink_userId: '("userId", "id")',
    },
    externalIdentity: {
      externalIdentity_user: '("userId", "id")',
    },
    pushSubscription: {
      pushSubscription_userId: '("userId", "id")',
      pushSubscription_sessionId: '("sessionId")',
    },
    scimUser: {
      scimUser_external: '("externalId")',
    },
    scimGroup: {
      scimGroup_external: '("externalId")',
    },
    scimMember: {
      scimMember_user: '("userId")',
    },
    widgetKey: {
      widgetKey_site: '("site")',
    },
  },
}
