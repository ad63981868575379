#pragma once
// One RSA-2048 key in all its shapes, each made by `openssl` or, the blob, by Python's arithmetic.
// Of no worth to anybody.

#include <string_view>

namespace adbproto::testing {

// openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048
inline constexpr std::string_view kKeyPem =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQDGsTRKVM8hgz4y\n"
    "5X4pI51ab4jr7phL7wrE5T7d9I6sBBSfoq6WxuuX1V4nzlsAimlQyHi2+NhVMHQB\n"
    "rAOWa4f1zpeiNYgmzMCSDg4EvhrwensTgkCvj0hzp9cUtTgHgtXDuj2Hr4LJsfrQ\n"
    "TbG9Nw+0bwOiTdZU553zFWe7tB49eNtPVagCkPVAkJ5/i/9zhmhHfYMOqB/0KCwB\n"
    "t7feDbjTeR291hcLpQDgvb91DkwAEMBQBtN+enfaDgKJC5d/fB2Xlx6LyrnP8Dyc\n"
    "PjXcuSRUm9CU4GrzJss8u6H9jt9mjF3A/t3hcXPdSxWjA8ah6xYhmLmDwQLiEkv9\n"
    "P3FxIv17AgMBAAECggEAGWLryPGEE4aWzF75Gx2DTdpBVs/B4rXUnOqjeS11izHs\n"
    "Rqc9AmPBF0G6SYC6rNuCcEFk9w/daCkMMWh+ftoXYYc3ZZDMaBSyKBcmoGF/xKkJ\n"
    "j6kNRcEbYzeXKfyrf34ufNcPZIY+wjF819+NbZ0a4xVqE/M5BtkfG79o5Rky4eyU\n"
    "8sraRtjBDvIr1G/p+qPfVTYZ6ejE66v6H4I0dK0snIg4BI9FrCQCLHUsO37aSdTY\n"
    "QFwPoLbO+Vy4Aj4Xryx65KbgDqGKnPvNg7LzhtVCQdnitdA76Z/RFd+ZnZCcBZdR\n"
    "tzOI22Ee9FMY36ry/Wi46oiGH5LWfeRWgXSEYp7h4QKBgQDuzNfKZT2wUCk6NyxS\n"
    "kY8LOadUx8Vl9uKSUyiwC/y8EV7A6BqMSroJ5UnNdic42gB7UuXsXH4Wn+97EntA\n"
    "nug6tQb/UbGyQNXpBfMYPizbq9rSpYHppOYXKCPoqrdTLbxfnH6SgNc9p3YyCmbw\n"
    "5VkKemE1lbF7KBpVnAM5Hda2GwKBgQDVANLqqbi2U6529ZNYfDmdf6UzF34SQR2e\n"
    "GZ0zufyGgyDnVfID7lALKUVNCTAO7I1mmN8MvnVlVXXo4lBiNikntxxtwKkE6ef5\n"
    "MvLcYkfUNGPZux9KDMoquh9gBBCQJPXc5OruFmsmd4+qoZdTtyr9kRGdo3bwrN+Z\n"
    "Ylm2U4jMIQKBgEvSnN314W1/Nmf2pssczqeIydnAiKwEhRJi9zNWywvIFCb6S5uq\n"
    "CoIj3JgxYOjLR4Xg34J6J8r1Q2v3hU0SZ7hkTHF7NgncTk9sBTD4ZPPnEFb8GFDg\n"
    "e/J0W1qAAi+WAQ72uLW51R4NcxkWdnMcz3XlP8Js4mqxZBM0s01KbSdrAoGAFCDE\n"
    "zZoGM2yK8wDX0KfEhgaW5NIWfsEafGMtQMMVgtyHUnUDrq1pcPSQcOwqV26xGf3e\n"
    "LgUdcNr3jm88a1t03iTmkdR/5E/6NMlEu+CpqvrcaKnPFh9JR2pZJqibrBNiDGKx\n"
    "dJg3veXUdKpac3W+oUGBKaVVyv57DrKFib4xEiECgYBxhDZemkMceVRHvRI1wV2p\n"
    "QcL4UB1JZqv2e8ONDpqVio/ZCvlRLFfKlnEQL8XJkiIcFl5HUVpj7LtvyMx4QUbH\n"
    "SKeJcbZI5N3hwz3hgk3oZwCu8m1Fc3p5iKYeRc2jGTpJLP1QY71gO6rn+t8+hxAW\n"
    "DWDffkcnQSK0Zf+MbbWUlw==\n"
    "-----END PRIVATE KEY-----\n";

// openssl rsa -traditional
inline constexpr std::string_view kKeyPkcs1Pem =
    "-----BEGIN RSA PRIVATE KEY-----\n"
    "MIIEogIBAAKCAQEAxrE0SlTPIYM+MuV+KSOdWm+I6+6YS+8KxOU+3fSOrAQUn6Ku\n"
    "lsbrl9VeJ85bAIppUMh4tvjYVTB0AawDlmuH9c6XojWIJszAkg4OBL4a8Hp7E4JA\n"
    "r49Ic6fXFLU4B4LVw7o9h6+CybH60E2xvTcPtG8Dok3WVOed8xVnu7QePXjbT1Wo\n"
    "ApD1QJCef4v/c4ZoR32DDqgf9CgsAbe33g2403kdvdYXC6UA4L2/dQ5MABDAUAbT\n"
    "fnp32g4CiQuXf3wdl5cei8q5z/A8nD413LkkVJvQlOBq8ybLPLuh/Y7fZoxdwP7d\n"
    "4XFz3UsVowPGoesWIZi5g8EC4hJL/T9xcSL9ewIDAQABAoIBABli68jxhBOGlsxe\n"
    "+Rsdg03aQVbPweK11Jzqo3ktdYsx7EanPQJjwRdBukmAuqzbgnBBZPcP3WgpDDFo\n"
    "fn7aF2GHN2WQzGgUsigXJqBhf8SpCY+pDUXBG2M3lyn8q39+LnzXD2SGPsIxfNff\n"
    "jW2dGuMVahPzOQbZHxu/aOUZMuHslPLK2kbYwQ7yK9Rv6fqj31U2GenoxOur+h+C\n"
    "NHStLJyIOASPRawkAix1LDt+2knU2EBcD6C2zvlcuAI+F68seuSm4A6hipz7zYOy\n"
    "84bVQkHZ4rXQO+mf0RXfmZ2QnAWXUbcziNthHvRTGN+q8v1ouOqIhh+S1n3kVoF0\n"
    "hGKe4eECgYEA7szXymU9sFApOjcsUpGPCzmnVMfFZfbiklMosAv8vBFewOgajEq6\n"
    "CeVJzXYnONoAe1Ll7Fx+Fp/vexJ7QJ7oOrUG/1GxskDV6QXzGD4s26va0qWB6aTm\n"
    "Fygj6Kq3Uy28X5x+koDXPad2Mgpm8OVZCnphNZWxeygaVZwDOR3WthsCgYEA1QDS\n"
    "6qm4tlOudvWTWHw5nX+lMxd+EkEdnhmdM7n8hoMg51XyA+5QCylFTQkwDuyNZpjf\n"
    "DL51ZVV16OJQYjYpJ7ccbcCpBOnn+TLy3GJH1DRj2bsfSgzKKrofYAQQkCT13OTq\n"
    "7hZrJnePqqGXU7cq/ZERnaN28KzfmWJZtlOIzCECgYBL0pzd9eFtfzZn9qbLHM6n\n"
    "iMnZwIisBIUSYvczVssLyBQm+kubqgqCI9yYMWDoy0eF4N+CeifK9UNr94VNEme4\n"
    "ZExxezYJ3E5PbAUw+GTz5xBW/BhQ4HvydFtagAIvlgEO9ri1udUeDXMZFnZzHM91\n"
    "5T/CbOJqsWQTNLNNSm0nawKBgBQgxM2aBjNsivMA19CnxIYGluTSFn7BGnxjLUDD\n"
    "FYLch1J1A66taXD0kHDsKldusRn93i4FHXDa945vPGtbdN4k5pHUf+RP+jTJRLvg\n"
    "qar63GipzxYfSUdqWSaom6wTYgxisXSYN73l1HSqWnN1vqFBgSmlVcr+ew6yhYm+\n"
    "MRIhAoGAcYQ2XppDHHlUR70SNcFdqUHC+FAdSWar9nvDjQ6alYqP2Qr5USxXypZx\n"
    "EC/FyZIiHBZeR1FaY+y7b8jMeEFGx0iniXG2SOTd4cM94YJN6GcArvJtRXN6eYim\n"
    "HkXNoxk6SSz9UGO9YDuq5/rfPocQFg1g335HJ0EitGX/jG21lJc=\n"
    "-----END RSA PRIVATE KEY-----\n";

// base64 of words, n0inv = -pow(n, -1, 2**32), n, rr = pow(2, 4096, n), 65537
inline constexpr std::string_view kKeyPublicBase64 =
    "QAAAAE2mlCd7/SJxcT/9SxLiAsGDuZghFuuhxgOjFUvdc3Hh3f7AXYxm3479obs8yybzauCU0JtUJLncNT6c"
    "PPDPucqLHpeXHXx/lwuJAg7ad3p+0wZQwBAATA51v73gAKULF9a9HXnTuA3et7cBLCj0H6gOg31HaIZz/4t/"
    "npBA9ZACqFVP23g9HrS7ZxXznedU1k2iA2+0Dze9sU3Q+rHJgq+HPbrD1YIHOLUU16dzSI+vQIITe3rwGr4E"
    "Dg6SwMwmiDWil871h2uWA6wBdDBV2Pi2eMhQaYoAW84nXtWX68aWrqKfFASsjvTdPuXECu9LmO7riG9anSMp"
    "fuUyPoMhz1RKNLHGlxxJV5xOkyD94HqpLxLbPnD2+n4dCjKz7//AXrSvM1TV2/DBEicsw7txaldwNr4B6Qy1"
    "BjSMuZgp7BGd/MJiLDDNLp4Avt614d6ARtuD7g6Jcvm50FgzjeV486+AtOGI3oDAboVOmMwNipU2JDxOZYSe"
    "vaKXRKXosudE3eEyNTOhJHa1NiijeYW1Ug/yFxgGGNSBfFIpM19edJAIw2PLCTtki6yeJL6NT7w5XuZ2FAbO"
    "LNd1HCIjnkmjCa2RpOMVCWTStIaAocaNwRcb1LTDbDnhagcJ+9CXb4nY/zG09jYIEIH8DTjMPrmuTfRYkBs8"
    "EJAzF7vaWMy4m5U5BvHafQEAAQA=";

// openssl pkey -pubout -outform DER | sha256sum
inline constexpr std::string_view kKeyFingerprint =
    "BC89442EB5298BCD3EC7C52417F2032930020D5A08C7E7EA2B7711AD315EAB12";

// openssl pkeyutl -sign -pkeyopt digest:sha1, of the bytes 00 to 13
inline constexpr std::string_view kKeySignature =
    "83921de672a4f1a38671cd0f1bc5f55450a8179053f75238dd70b91279970b7cdfa0dd2e9b1c51c21935"
    "f5aee4b42e559caa9b2b52e5188ae91b2b47ddb1e2ac53a643de18f45e19e97c89bec4cadbe8998a9490"
    "1b79766c48fb3666f24ef2c051ebd94387f6c2770d80f387fa51f87cb165a5ce7e51fe5b4fd81594ac71"
    "3bbe4ade37e13a261fac5232c8ed4a2e9230eb1456e7cc8010185300f1d965379c21c82055283ad7d6fb"
    "9f7458355b0b15d39aa518981bd7e59d64c32349a677bf56e075119d2bf683e4fe0947ae031732fce507"
    "12856d0fb76a59c0c151e8d20e5244032278c81e155ca905c4003ea812300f760dd9b1ec8b34b7a58578"
    "39c8f68c";

}  // namespace adbproto::testing
