/** Valid and wrong addresses of non-EVM chains, with the provider of their wallets. */
export const nativeAddresses = [
  {
    provider: 'STELLAR',
    blockchain: 'stellar',
    addresses: ['GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ', `G${'A'.repeat(52)}WHF`],
    // A wrong character at the end and in the middle, lower case, another version, a muxed account, a secret seed.
    wrong: [
      'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGY',
      'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZB4KVWLTJJFC7MGXUA74P7UJVSGZ',
      'ga7qynf7sowq3glr2bgmzehxavirza4kvwltjjfc7mgxua74p7ujvsgz',
      'GE7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUFCU',
      'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
      'SBU2RRGLXH3E5CQHTD3ODLDF2BWDCYUSSBLLZ5GNW7JXHDIYKXZWHOKR',
    ],
  },
  {
    provider: 'CONCORDIUM',
    blockchain: 'concordium',
    addresses: [
      '3TdFQK6hqoqoW38JQJGZ2y3RZfgVPzwB7dMKXbBdeYvdwPeF63',
      '4FmiTW2L2AccyR9VjzsnpWFSAcohXWf7Vf797i36y526mqiEcp',
    ],
    // A wrong character, another case, characters that base58 lacks, another version, and an address of Bitcoin.
    wrong: [
      '3TdFQK6hqoqoW38JQJGZ2y3RZfgVPzwB7dMKXbBdeYvdwPeF64',
      '3tdFQK6hqoqoW38JQJGZ2y3RZfgVPzwB7dMKXbBdeYvdwPeF63',
      '3TdFQK6hqoqoW38JQJGZ2y3RZfgVPzwB7dMKXbBdeYvdwPeF0O',
      '5QNRdm8ZGV4wKcqCyvGWMZpLgHQ96qoxkhTZgH5dJZK8VXYniR',
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    ],
  },
]
