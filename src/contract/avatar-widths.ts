// In which widths pictures of accounts are made, in px: twice 24 px and 48 px. Those of 96 px are kept in twice that. Without imports, for the
// script of pages (site/src/lib/ui/faces.ts).
export const avatarWidths = [48, 96] as const
