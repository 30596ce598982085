// Reserved names: they could be mistaken for Guildhall itself, or for a part of its address.
const reserved = new Set(
  `about account accounts admin administrator api app assets auth automation automations blog blogs bot bugs cards community
  contact dashboard demo dev docs everyone faq features feed guest guildhall help home info invitations legal library login logout
  mail mcp me mod moderator moderators new null oauth official onboarding org orgs owner policy post posts postmaster
  privacy profile register root search security settings signin signout signup sitemap staff static status support
  system team teams terms test undefined user username users webmaster well-known workflow workflows www`.split(/\s+/),
)

export const isReserved = (username: string): boolean => reserved.has(username.toLowerCase())
